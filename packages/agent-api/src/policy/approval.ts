import { dirname, sep } from 'node:path'
import type { FenceReport, HeldFence } from '../messages/fence-report.ts'
import type { CallPlan, ToolRef } from '../messages/tool.ts'
import { approvalModes, type ApprovalMode } from './approval-mode.ts'
import { coversCommand, toCommandGrant, type CommandGrant } from './always-allow/command-rules.ts'
import type { ToolDefinition } from './always-allow/definition-text.ts'
import { describePinChange, isSamePin, type Pin } from './always-allow/definition-pin.ts'
import type { Rule } from './decision-rule.ts'
import type { ToolApproval } from './tool-config.ts'
import { matchesTrust } from './trust.ts'

/** `allow`: reading inside the session's directories needs no approval. `ask`: it is like any other call. */
export const readApprovals = ['allow', 'ask'] as const
export type ReadApproval = (typeof readApprovals)[number]

/** Determines which calls need permission. */
export interface Approval {
  readonly mode: ApprovalMode
  readonly trustedTools: readonly string[]
  readonly reads: ReadApproval
}

/** The reason why calls may now run without a question that needed one before. */
export function loosening(before: Approval, now: Approval): string | undefined {
  const isLooser = approvalModes.indexOf(now.mode) > approvalModes.indexOf(before.mode)
  if (isLooser) return `the mode is ${now.mode}, and was ${before.mode}`
  if (before.reads === 'ask' && now.reads === 'allow' && now.mode !== 'auto')
    return 'reading files no longer needs approval'
  const added = now.trustedTools.filter((pattern) => !before.trustedTools.includes(pattern))
  return now.mode === 'trusted-only' && before.mode === now.mode && added.length > 0
    ? `${added.join(', ')} is trusted`
    : undefined
}

/** `changes`: what a person should know before answering. */
export type Decision =
  | { readonly verdict: 'allow' | 'deny'; readonly rule: Rule }
  | {
      readonly verdict: 'ask'
      readonly rule: Rule
      readonly changes?: readonly string[]
      /** The grant that would allow the call if nothing had changed. */
      readonly outdated?: Grant
    }

/** A person's lasting decision on one tool. Valid only while the tool and its server are unchanged. */
export interface Grant {
  readonly ref: ToolRef
  readonly verdict: 'allow' | 'deny'
  readonly scope: 'session' | 'always'
  readonly pin: Pin
  readonly command?: CommandGrant
  /** Outside the session's directories. */
  readonly folder?: string
  /** Scheme, host and port. */
  readonly origin?: string
  /** The text of the tool's definition at that time. Stored grants are listed without it. */
  readonly definition?: string
}

export interface ApprovalRules extends Approval {
  readonly grants: readonly Grant[]
}

export interface CallFacts {
  readonly ref: ToolRef
  readonly pin: Pin
  /** The text that the pin was made from. It shows what has changed. */
  readonly definition?: ToolDefinition
  /** The tool's `approval` setting in the agent file. */
  readonly approval?: ToolApproval
  /** True for a tool that the person has switched off. */
  readonly isOff?: boolean
  /** True for tools of Ostler itself, such as a question to the person. */
  readonly isInternal: boolean
  /** True if the server declares the tool as read-only and the agent file trusts the server. */
  readonly isTrustedRead: boolean
  /** The planned effect of the call. Undefined if its tool makes no plan, such as a tool of a server. */
  readonly plan?: PlanFacts | undefined
}

export type PlanFacts = Pick<
  CallPlan,
  'effect' | 'outside' | 'outsideFolder' | 'sensitive' | 'command' | 'fence' | 'origin'
>

/**
 * Applies the rules in fixed order: prohibitions, harmless tools, the `read-only` mode, secrets' files, paths outside, changed pins, `ask`
 * settings, reads, `auto` and `fenced` modes, grants, trust. Asks if no rule applies.
 */
export function decide(rules: ApprovalRules, call: CallFacts): Decision {
  const { plan } = call
  const own = rules.grants.filter(({ ref }) => ref.server === call.ref.server && ref.tool === call.ref.tool)
  if (call.isOff === true) return { verdict: 'deny', rule: { by: 'tools' } }
  if (call.approval === 'deny') return { verdict: 'deny', rule: { by: 'tool', how: 'deny' } }
  // A denial also applies to a tool that has changed since.
  const denials = own.filter((grant) => grant.verdict === 'deny')
  if (denials.length > 0) return { verdict: 'deny', rule: ruleOf('deny', denials) }
  if (call.isInternal) return { verdict: 'allow', rule: { by: 'internal' } }
  if (plan?.effect === 'none') return { verdict: 'allow', rule: { by: 'effect', how: 'none' } }
  if (rules.mode === 'read-only' && !isRead(call))
    return { verdict: 'deny', rule: { by: 'mode', how: 'read-only' } }

  if (isSensitive(call)) return { verdict: 'ask', rule: { by: 'sensitive' } }
  if (isOutside(call)) {
    const isCovered = call.approval !== 'ask' && own.some((grant) => coversFolder(grant, call))
    // A grant for a folder is always for the session.
    return isCovered
      ? { verdict: 'allow', rule: { by: 'grant', how: 'folder' } }
      : { verdict: 'ask', rule: { by: 'outside' } }
  }

  const fitting = own.filter((grant) => grant.verdict === 'allow' && fits(grant, call))
  const valid = fitting.filter(({ pin }) => isSamePin(pin, call.pin))
  const outdated = fitting.find((grant) => !valid.includes(grant))
  if (outdated !== undefined && valid.length === 0) {
    return {
      verdict: 'ask',
      rule: { by: 'pin', how: 'changed' },
      changes: describePinChange(outdated.pin, call.pin),
      outdated,
    }
  }
  if (call.approval === 'ask') return { verdict: 'ask', rule: { by: 'tool', how: 'ask' } }
  if (plan?.effect === 'read' && rules.reads === 'allow') return { verdict: 'allow', rule: { by: 'reads' } }
  if (rules.mode === 'auto') return { verdict: 'allow', rule: { by: 'mode', how: 'auto' } }
  if (rules.mode === 'fenced' && staysInside(call))
    return { verdict: 'allow', rule: { by: 'mode', how: 'fenced' } }
  if (valid.length > 0) return { verdict: 'allow', rule: ruleOf(grantedBy(plan), valid) }
  if (call.approval === 'allow') return { verdict: 'allow', rule: { by: 'tool', how: 'allow' } }
  if (rules.mode === 'trusted-only') {
    const trusted = rules.trustedTools.find((pattern) => matchesTrust(pattern, call.ref))
    if (trusted !== undefined) return { verdict: 'allow', rule: { by: 'trusted', how: trusted } }
  }
  if ((rules.mode === 'trusted-only' || rules.mode === 'read-only') && call.isTrustedRead)
    return { verdict: 'allow', rule: { by: 'trusted', how: 'read-only' } }
  return { verdict: 'ask', rule: { by: 'mode', how: rules.mode } }
}

/** A tool without a plan may do anything, unless a trusted server says that it only reads. */
function isRead({ plan, isTrustedRead }: CallFacts): boolean {
  return plan === undefined ? isTrustedRead : plan.effect === 'read'
}

/** Only files of the session's directories can change: by an edit, which can be taken back, or within what a sandbox lets a command do. */
function staysInside({ plan }: CallFacts): boolean {
  return plan?.effect === 'write' || isHeld(plan?.fence)
}

export function isHeld(fence: FenceReport | undefined): fence is HeldFence {
  return fence !== undefined && fence.by !== 'nothing'
}

function isSensitive({ plan }: CallFacts): boolean {
  return (plan?.sensitive ?? []).length > 0
}

function isOutside({ plan }: CallFacts): boolean {
  return (plan?.outside ?? []).length > 0
}

/**
 * A grant for a folder counts only for paths outside. A command needs a grant for that command, and a page a
 * grant for its origin: there, a grant for the whole tool is from an older version and does not count.
 */
function fits(grant: Grant, { plan }: CallFacts): boolean {
  if (plan?.command !== undefined)
    return grant.command !== undefined && coversCommand(grant.command, plan.command)
  if (plan?.origin !== undefined) return grant.origin === plan.origin
  return isForTool(grant)
}

function isForTool({ command, folder, origin }: Grant): boolean {
  return command === undefined && folder === undefined && origin === undefined
}

function grantedBy(plan: PlanFacts | undefined): 'allow' | 'command' | 'origin' {
  if (plan?.command !== undefined) return 'command'
  return plan?.origin === undefined ? 'allow' : 'origin'
}

function ruleOf(kind: 'deny' | ReturnType<typeof grantedBy>, grants: readonly Grant[]): Rule {
  const isLasting = grants.some(({ scope }) => scope === 'always')
  return { by: 'grant', how: isLasting ? kind : `${kind}:session` }
}

function coversFolder({ verdict, folder, pin }: Grant, { plan, pin: now }: CallFacts): boolean {
  if (verdict !== 'allow' || folder === undefined || plan?.command !== undefined) return false
  return isSamePin(pin, now) && (plan?.outside ?? []).every((path) => isInFolder(path, folder))
}

/** Paths are already resolved. */
function isInFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

/** The calls that an answer for longer than one call allows. */
export type Lasting =
  | { readonly type: 'tool' }
  | { readonly type: 'command'; readonly command: CommandGrant }
  | { readonly type: 'folder'; readonly folder: string }
  | { readonly type: 'origin'; readonly origin: string }
  /** A connection from inside a sandbox. Only a server keeps it beyond the session. */
  | { readonly type: 'host'; readonly host: string; readonly isForServer: boolean }
  | { readonly type: 'nothing' }

export function lastingOf(call: CallFacts): Lasting {
  const { plan } = call
  if (isSensitive(call)) return { type: 'nothing' }
  if (isOutside(call)) {
    const folder = plan?.command === undefined ? plan?.outsideFolder : undefined
    // The root of a file system is never allowed as a whole.
    const isFitting =
      folder !== undefined &&
      dirname(folder) !== folder &&
      plan?.outside?.every((path) => isInFolder(path, folder))
    return isFitting === true ? { type: 'folder', folder } : { type: 'nothing' }
  }
  // A redacted origin is no longer valid, so it is dropped.
  if (plan?.origin !== undefined)
    return URL.canParse(plan.origin) ? { type: 'origin', origin: plan.origin } : { type: 'nothing' }
  if (plan?.command === undefined) return { type: 'tool' }
  const command = toCommandGrant(plan.command)
  return command === undefined ? { type: 'nothing' } : { type: 'command', command }
}
