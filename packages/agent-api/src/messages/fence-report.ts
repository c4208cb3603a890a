/** Says what really holds a program. It is shown with each question, call and server, and recorded. */
export type FenceReport =
  | HeldFence
  | {
      readonly by: 'nothing'
      /** Why there is no fence, and what to do about it. */
      readonly why: string
    }

export interface HeldFence {
  readonly by: 'bubblewrap' | 'sandbox-exec'
  readonly network: 'none' | 'allowed-hosts'
}

export function describeFence(report: FenceReport): string {
  if (report.by === 'nothing') return `without a sandbox: ${report.why}`
  const reach =
    report.network === 'none' ? 'has no network' : 'has no network except for hosts that you allow'
  return `in a sandbox (${report.by}): it ${reach}, and writes only in the session’s directories`
}
