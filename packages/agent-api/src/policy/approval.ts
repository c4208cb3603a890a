import type { ToolRef } from '../messages/tool.ts'
import { describePinChange, isSamePin, type Pin } from './pin.ts'
import type { ToolApproval } from './tool-config.ts'
import { matchesTrust } from './trust.ts'

export const approvalModes = ['always-ask', 'auto', 'trusted-only'] as const
export type ApprovalMode = (typeof approvalModes)[number]

/** Determines which calls need permission. */
export interface Approval {
  readonly mode: ApprovalMode
  readonly trustedTools: readonly string[]
}

const strictestFirst: readonly ApprovalMode[] = ['always-ask', 'trusted-only', 'auto']

/** Returns the reason why calls may now run without a question that needed one before. Undefined if none may. */
export function loosening(before: Approval, now: Approval): string | undefined {
  const isLooser = strictestFirst.indexOf(now.mode) > strictestFirst.indexOf(before.mode)
  if (isLooser) return `the mode is ${now.mode}, and was ${before.mode}`
  const added = now.trustedTools.filter((pattern) => !before.trustedTools.includes(pattern))
  return now.mode === 'trusted-only' && before.mode === now.mode && added.length > 0 ? `${added.join(', ')} is trusted` : undefined
}

/** The verdict on a call, the rule behind it, and changes that a person should know of before answering. */
export type Decision =
  | { readonly verdict: 'allow' | 'deny'; readonly rule: string }
  | { readonly verdict: 'ask'; readonly rule: string; readonly changes?: readonly string[] }

/** A person's lasting decision on one tool. Valid only while the tool and its server are unchanged. */
export interface Grant {
  readonly ref: ToolRef
  readonly verdict: 'allow' | 'deny'
  readonly scope: 'session' | 'always'
  readonly pin: Pin
}

export interface ApprovalRules {
  readonly mode: ApprovalMode
  readonly trustedTools: readonly string[]
  readonly grants: readonly Grant[]
}

/** The properties of a call that the rules use. */
export interface CallFacts {
  readonly ref: ToolRef
  readonly pin: Pin
  /** The tool's `approval` setting in the agent file. */
  readonly approval?: ToolApproval
  /** True for tools of Ostler itself, such as a question to the person. */
  readonly isInternal: boolean
  /** True if the server declares the tool as read-only and the agent file trusts the server. */
  readonly isTrustedRead: boolean
}

/**
 * Applies the rules in fixed order: prohibitions, internal tools, changed pins, `ask` settings, `auto` mode, grants, trust. Asks if no rule
 * applies.
 */
export function decide(rules: ApprovalRules, call: CallFacts): Decision {
  const grants = rules.grants.filter(({ ref }) => ref.server === call.ref.server && ref.tool === call.ref.tool)
  const valid = grants.filter(({ pin }) => isSamePin(pin, call.pin))
  const outdated = grants.find((grant) => grant.verdict === 'allow' && !valid.includes(grant))

  if (call.approval === 'deny') return { verdict: 'deny', rule: 'tool:deny' }
  // A denial also applies to a tool that has changed since.
  if (grants.some((grant) => grant.verdict === 'deny')) return { verdict: 'deny', rule: 'grant:deny' }
  if (call.isInternal) return { verdict: 'allow', rule: 'internal' }
  if (outdated !== undefined && !valid.some((grant) => grant.verdict === 'allow')) {
    return { verdict: 'ask', rule: 'pin:changed', changes: describePinChange(outdated.pin, call.pin) }
  }
  if (call.approval === 'ask') return { verdict: 'ask', rule: 'tool:ask' }
  if (rules.mode === 'auto') return { verdict: 'allow', rule: 'mode:auto' }
  if (valid.some((grant) => grant.verdict === 'allow')) return { verdict: 'allow', rule: 'grant:allow' }
  if (call.approval === 'allow') return { verdict: 'allow', rule: 'tool:allow' }
  if (rules.mode === 'trusted-only') {
    const trusted = rules.trustedTools.find((pattern) => matchesTrust(pattern, call.ref))
    if (trusted !== undefined) return { verdict: 'allow', rule: `trusted:${trusted}` }
    if (call.isTrustedRead) return { verdict: 'allow', rule: 'trusted:read-only' }
  }
  return { verdict: 'ask', rule: `mode:${rules.mode}` }
}
