/** Says what really holds a program. It is shown with each question, call and server, and recorded. */
export type FenceReport =
  | { readonly by: 'bubblewrap' | 'sandbox-exec'; readonly network: 'none' | FenceNetwork }
  | {
      readonly by: 'nothing'
      /** Why there is no fence, and what to do about it. */
      readonly why: string
    }

interface FenceNetwork {
  readonly hosts: readonly string[]
  /** True if a person is asked about other hosts. */
  readonly asks: boolean
}

export function describeFence(report: FenceReport): string {
  return report.by === 'nothing'
    ? `without a sandbox: ${report.why}`
    : `in a sandbox (${report.by}): it ${describeNetwork(report.network)}, and writes only in the session’s directories`
}

function describeNetwork(network: 'none' | FenceNetwork): string {
  if (network === 'none') return 'has no network'
  const { hosts, asks } = network
  const reached = hosts.length === 0 ? 'has no network' : `reaches only ${hosts.join(', ')}`
  return asks ? `${reached} unless you allow a host` : reached
}
