import type { DiscoveredTool } from '@ostler/agent-api/manage'
import { ScrollTable } from '../../parts/scroll-table.tsx'
import { formatDuration } from '../../text/quantities.ts'
import { approvalWords, inclusionWords } from '../../text/setting-words.ts'

/** The settings of the tool, and the source of each value. */
export function EffectiveConfig({ tool: { config, leftOut } }: { readonly tool: DiscoveredTool }) {
  if (config === undefined) return <p class="note">Not offered: {leftOut}.</p>
  const { maxInstances, timeoutMs, include, approval } = config
  const rows = [
    ['Parallel calls', String(maxInstances.value), maxInstances.source],
    ['Timeout', formatDuration(timeoutMs.value), timeoutMs.source],
    ['Offered to the model', inclusionWords[include.value], include.source],
    ['Approval', approval === undefined ? 'Use the approval mode' : approvalWords[approval.value], approval?.source ?? 'built-in'],
  ] as const
  return (
    <ScrollTable label="Effective configuration" head={['Setting', 'Value', 'From']}>
      {rows.map(([name, value, source]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{value}</td>
          <td class="muted">{source === 'built-in' ? 'Default' : <code class="wrap">{source}</code>}</td>
        </tr>
      ))}
    </ScrollTable>
  )
}
