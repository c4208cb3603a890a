/** The strictest first. */
export const approvalModes = ['read-only', 'always-ask', 'trusted-only', 'fenced', 'auto'] as const
/**
 * `read-only` refuses every call that does more than read. `fenced` does not ask for commands in a sandbox and for edits. `auto` asks only for
 * secrets and for paths outside.
 */
export type ApprovalMode = (typeof approvalModes)[number]

export const modeNames = {
  'read-only': 'Read only',
  'always-ask': 'Always ask',
  'trusted-only': 'Trusted only',
  fenced: 'Fenced',
  auto: 'Auto',
} as const satisfies Readonly<Record<ApprovalMode, string>>

export const approvalWords = { ask: 'Ask', allow: 'Allow', deny: 'Deny' } as const
