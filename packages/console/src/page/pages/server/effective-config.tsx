import type { DiscoveredTool } from '@ostler/agent-api/manage'
import { formatDuration } from '../../text/quantities.ts'

/** The settings of the tool, and the source of each value. */
export function EffectiveConfig({ config }: { readonly config: DiscoveredTool['config'] }) {
  if (config === undefined) return <p class="note">Not offered: the server is strict and this tool is not listed in toolbox.tools.</p>
  const { maxInstances, timeoutMs, include, approval } = config
  const rows = [
    ['Parallel calls', String(maxInstances.value), maxInstances.source],
    ['Timeout', formatDuration(timeoutMs.value), timeoutMs.source],
    ['Included', include.value, include.source],
    ['Approval', approval?.value ?? 'use the approval mode', approval?.source ?? 'approval.mode'],
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
