import type { TestProgress } from '../../../api.ts'
import { counted, formatDuration } from '../../text/quantities.ts'

const phases = [
  ['startMs', 'Start'],
  ['handshakeMs', 'Handshake'],
  ['discoveryMs', 'Discovery'],
] as const

export function TestResult({ result }: { readonly result: Extract<TestProgress, { type: 'connected' }> }) {
  const { server, tools, resources, prompts, warnings } = result
  return (
    <div class="column test-result">
      <dl class="phases">
        {phases.map(([phase, name]) => (
          <div key={phase}>
            <dt>{name}</dt>
            <dd>{formatDuration(result.phases[phase])}</dd>
          </div>
        ))}
      </dl>
      <p>
        <strong>{server.name}</strong> {server.version}, protocol {server.protocolVersion}: {counted(tools.length, 'tool')},{' '}
        {counted(resources.length, 'resource')}, {counted(prompts.length, 'prompt')}
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="server-warning">
          {warning}
        </p>
      ))}
      {tools.length === 0 ? (
        <p class="muted">This server offers no tools.</p>
      ) : (
        <ul class="found-tools" aria-label="Discovered tools" tabIndex={0}>
          {tools.map(({ name, title, description }) => (
            <li key={name}>
              <code>{name}</code> <span class="muted">{title ?? description}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
