/** Says what really holds a program. It is shown with each question, call and server, and recorded. */
export type FenceReport =
  | { readonly by: 'bubblewrap' | 'sandbox-exec'; readonly network: 'none' }
  | {
      readonly by: 'nothing'
      /** Why there is no fence, and what to do about it. */
      readonly why: string
    }

export function describeFence(report: FenceReport): string {
  return report.by === 'nothing'
    ? `not in a sandbox: ${report.why}`
    : `in a sandbox (${report.by}): it has no network, and writes only in the session’s directories`
}
