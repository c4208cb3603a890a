import type { ToolAnnotations } from '@ostler/agent-api/internal'
import type { DiscoveredTool } from '@ostler/agent-api/manage'
import { useMemo } from 'preact/hooks'
import type { ServerView } from '../../../api.ts'
import { ToolIcon } from '../../parts/tool-icon.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Link } from '../../parts/link.tsx'
import { OpenApp } from '../../parts/open-app.tsx'
import { toField } from '../../schema/field.ts'
import { jsonText } from '../../text/visible.ts'
import { serverPath } from '../../server-path.ts'
import { EffectiveConfig } from './effective-config.tsx'
import { ParameterTable } from './parameter-table.tsx'
import { TryTool } from './try-tool.tsx'

interface ToolDetailProps {
  readonly server: ServerView
  readonly tool: DiscoveredTool
  readonly callId: string | null
}

export function ToolDetail({ server, tool, callId }: ToolDetailProps) {
  const field = useMemo(() => toField(tool.inputSchema), [tool])
  const badges = [...badgesOf(tool.annotations), ...(tool.runsAsTask === true ? [['Runs as a task', 'plain'] as const] : [])]
  return (
    <div class="column box tool-detail">
      <p class="back">
        <Link to={serverPath(server)}>All tools</Link>
      </p>
      <header>
        <h2>
          <ToolIcon icons={tool.icons} />
          <code>{tool.name}</code>
        </h2>
        {tool.title !== undefined && <p>{tool.title}</p>}
        {badges.length > 0 && (
          <ul class="badges" aria-label="Annotations">
            {badges.map(([text, tone]) => (
              <li key={text} class={`badge badge-${tone}`}>
                {text}
              </li>
            ))}
          </ul>
        )}
      </header>
      <p class="tool-about">{tool.description === '' ? 'No description.' : tool.description}</p>
      {tool.appUri !== undefined && (
        <p>
          This tool has an app: a page from the server that shows its results.{' '}
          <OpenApp server={server.id} uri={tool.appUri} call={callId} />
        </p>
      )}
      <section aria-label="Parameters">
        <h3>Parameters</h3>
        <ParameterTable field={field} />
      </section>
      <TryTool server={server} tool={tool} field={field} callId={callId} />
      <section aria-label="Effective configuration">
        <h3>Effective configuration</h3>
        <EffectiveConfig tool={tool} />
      </section>
      <details class="schema">
        <summary>JSON Schema</summary>
        <CopyButton label="Copy schema" text={() => jsonText(tool.inputSchema)} />
        <pre tabIndex={0}>{jsonText(tool.inputSchema)}</pre>
      </details>
    </div>
  )
}

/** The server's hints. A missing hint means MCP's default, and has no badge. */
function badgesOf(annotations: ToolAnnotations = {}): (readonly [text: string, tone: 'good' | 'warn' | 'plain'])[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  return [
    ...(readOnlyHint === true ? [['Read-only', 'good'] as const] : []),
    ...(destructiveHint === true && readOnlyHint !== true ? [['Destructive', 'warn'] as const] : []),
    ...(destructiveHint === false && readOnlyHint !== true ? [['Not destructive', 'good'] as const] : []),
    ...(idempotentHint === true ? [['Idempotent', 'plain'] as const] : []),
    ...(openWorldHint === true ? [['Open world', 'plain'] as const] : []),
    ...(openWorldHint === false ? [['Closed world', 'plain'] as const] : []),
  ]
}
