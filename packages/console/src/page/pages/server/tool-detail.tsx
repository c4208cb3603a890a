import type { DiscoveredTool, ServerView, ToolAnnotations } from '../../../api.ts'
import { approvalWords, formatDuration } from '@ostler/agent-api/browser'
import { useMemo } from 'preact/hooks'
import { CopyButton } from '../../parts/buttons.tsx'
import { Link, OpenApp } from '../../parts/link.tsx'
import { ScrollTable } from '../../parts/scroll-table.tsx'
import { ToolIcon } from './tool-list.tsx'
import { join } from '../../schema/entry.ts'
import { type FormField, toField } from '../../schema/field.ts'
import { serverPath } from '../../route.ts'
import { inclusionWords } from '../../text/setting-words.ts'
import { jsonText } from '../../text/visible.ts'
import { TryTool } from './try-tool.tsx'

interface ToolDetailProps {
  server: ServerView
  tool: DiscoveredTool
  callId: string | null
}

export function ToolDetail({ server, tool, callId }: ToolDetailProps) {
  const field = useMemo(() => toField(tool.inputSchema), [tool])
  const badges = [
    ...badgesOf(tool.annotations),
    ...(tool.runsAsTask === true ? [['Runs as a task', 'plain'] as const] : []),
  ]
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
function badgesOf(
  annotations: ToolAnnotations = {},
): (readonly [text: string, tone: 'good' | 'warn' | 'plain'])[] {
  const { readOnlyHint: onlyReads, destructiveHint, idempotentHint, openWorldHint } = annotations
  const badges = [
    [onlyReads === true, 'Read-only', 'good'],
    [destructiveHint === true && onlyReads !== true, 'Destructive', 'warn'],
    [destructiveHint === false && onlyReads !== true, 'Not destructive', 'good'],
    [idempotentHint === true, 'Idempotent', 'plain'],
    [openWorldHint === true, 'Open world', 'plain'],
    [openWorldHint === false, 'Closed world', 'plain'],
  ] as const
  return badges.flatMap(([isTrue, text, tone]) => (isTrue ? [[text, tone] as const] : []))
}

function EffectiveConfig({ tool: { config, leftOut } }: { tool: DiscoveredTool }) {
  if (config === undefined) return <p class="note">Not offered: {leftOut}.</p>
  const { maxInstances, timeoutMs, include, approval } = config
  const rows = [
    ['Parallel calls', String(maxInstances.value), maxInstances.source],
    ['Timeout', formatDuration(timeoutMs.value), timeoutMs.source],
    ['Offered to the model', inclusionWords[include.value], include.source],
    [
      'Approval',
      approval === undefined ? 'Use the approval mode' : approvalWords[approval.value],
      approval?.source ?? 'built-in',
    ],
  ] as const
  return (
    <ScrollTable label="Effective configuration" head={['Setting', 'Value', 'From']}>
      {rows.map(([name, value, source]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{value}</td>
          <td class="muted">{source === 'built-in' ? 'Default' : <code>{source}</code>}</td>
        </tr>
      ))}
    </ScrollTable>
  )
}

function ParameterTable({ field }: { field: FormField }) {
  const rows = rowsOf(field, '')
  if (rows.length === 0) return <p class="muted">This tool takes no arguments.</p>
  return (
    <ScrollTable label="Parameters" class="parameters" head={['Name', 'Type', 'Description']}>
      {rows.map(({ path, field: { isRequired, type, description, rules, default: preset } }) => (
        <tr key={path}>
          <th scope="row">
            <code>{path}</code>
            {isRequired && <span class="required"> required</span>}
          </th>
          <td>
            {type}
            {rules.length > 0 && <div class="muted">{rules.join(', ')}</div>}
          </td>
          <td>
            {description}
            {preset !== undefined && (
              <div class="muted">
                Default: <code>{jsonText(preset)}</code>
              </div>
            )}
          </td>
        </tr>
      ))}
    </ScrollTable>
  )
}

function rowsOf(field: FormField, path: string): { path: string; field: FormField }[] {
  const own = path === '' ? [] : [{ path, field }]
  if (field.kind === 'object')
    return [...own, ...field.fields.flatMap((part) => rowsOf(part, join(path, part.name)))]
  if (field.kind === 'list' && field.item.kind === 'object')
    return [...own, ...field.item.fields.flatMap((part) => rowsOf(part, join(`${path}[]`, part.name)))]
  return own
}
