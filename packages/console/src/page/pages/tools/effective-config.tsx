import type { DiscoveredTool } from '@ostler/agent-api'
import { formatDuration } from '../../text/quantities.ts'

/** How the tool may be used, and where each value came from. */
export function EffectiveConfig({ config }: { readonly config: DiscoveredTool['config'] }) {
  if (config === undefined) return <p class="note">Left out: its server is strict, and toolbox.tools does not name this tool.</p>
  const { maxInstances, timeoutMs, include, approval } = config
  const rows = [
    ['Calls at once', String(maxInstances.value), maxInstances.source],
    ['Time-out', formatDuration(timeoutMs.value), timeoutMs.source],
    ['Included', include.value, include.source],
    ['Approval', approval?.value ?? 'as the mode says', approval?.source ?? 'approval.mode'],
  ] as const
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label="Effective configuration, scrollable">
      <table>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Value</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, value, source]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td class="muted">{source}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
