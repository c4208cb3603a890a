import type { ToolRef } from '../tools/tool.ts'

export const approvalModes = ['always-ask', 'auto'] as const
export type ApprovalMode = (typeof approvalModes)[number]

/** What is to happen with a call, and the name of the rule that said so. */
export type Decision = { readonly verdict: 'allow' | 'ask' | 'deny'; readonly rule: string }

/** A person's lasting word on one tool, for as long as the session lives. */
export interface SessionGrant {
  readonly ref: ToolRef
  readonly verdict: 'allow' | 'deny'
}

export interface ApprovalRules {
  readonly mode: ApprovalMode
  readonly grants: readonly SessionGrant[]
}

/** Deny comes before allow, and what no rule speaks of is asked. */
export function decide(rules: ApprovalRules, call: { readonly ref: ToolRef; readonly isQuestion: boolean }): Decision {
  const grants = rules.grants.filter((grant) => grant.ref.server === call.ref.server && grant.ref.tool === call.ref.tool)
  if (grants.some((grant) => grant.verdict === 'deny')) return { verdict: 'deny', rule: 'grant:reject-always' }
  if (call.isQuestion) return { verdict: 'allow', rule: 'question' }
  if (rules.mode === 'auto') return { verdict: 'allow', rule: 'mode:auto' }
  if (grants.some((grant) => grant.verdict === 'allow')) return { verdict: 'allow', rule: 'grant:allow-always' }
  return { verdict: 'ask', rule: 'mode:always-ask' }
}
