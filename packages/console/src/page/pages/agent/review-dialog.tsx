import { useEffect, useState } from 'preact/hooks'
import type { AgentEdit, AgentSettings, AgentView, SaveAgent, StartedServer } from '../../../api.ts'
import { post, request } from '../../api/client.ts'
import { Answers } from '../../parts/answers.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { DiffView } from '../../parts/diff-view.tsx'
import { Failure } from '../../parts/loading.tsx'
import { PrivateAddress, useAttempt } from '../../parts/use-attempt.tsx'

interface ReviewDialogProps {
  settings: AgentSettings
  file: string
  version: string
  onClose: () => void
  onSaved: (view: AgentView) => void
  onOutdated: () => void
}

export function ReviewDialog({ settings, file, version, onClose, onSaved, onOutdated }: ReviewDialogProps) {
  const [edit, setEdit] = useState<AgentEdit>()
  const { attempt, failure, isBusy } = useAttempt()
  const cleaned = cleanSettings(settings)

  const preview = async () => {
    setEdit(undefined)
    setEdit(await attempt(() => post<AgentEdit>('/api/agent/preview', { settings: cleaned })))
  }
  useEffect(() => void preview(), [])

  const save = async () => {
    const body: SaveAgent = { settings: cleaned, version, confirmed: edit?.starts }
    const saved = await attempt(() => request<AgentView>('/api/agent', { method: 'PUT', body }))
    if (saved !== undefined) onSaved(saved)
  }
  const issues = edit?.issues ?? []
  const isOutdated = failure?.code === 'config.changed' || (edit !== undefined && edit.version !== version)
  return (
    <Dialog
      title="Review changes"
      size="large"
      onClose={onClose}
      closeLabel="Back"
      actions={
        <Answers>
          <button
            type="button"
            class="button-primary"
            disabled={edit === undefined || edit.diff === '' || issues.length > 0 || isBusy || isOutdated}
            onClick={() => void save()}
          >
            Save
          </button>
        </Answers>
      }
    >
      <p class="mono muted">{file}</p>
      {isOutdated && (
        <div class="column failure" role="alert">
          <p>The file changed on disk. Reload it; your edits are kept.</p>
          <button type="button" onClick={onOutdated}>
            Reload
          </button>
        </div>
      )}
      {failure !== undefined && !isOutdated && <Failure failure={failure} onRetry={() => void preview()} />}
      {edit === undefined && failure === undefined && <p class="loading">Loading…</p>}
      {issues.length > 0 && (
        <ul class="column failure" role="alert">
          {issues.map(({ path, message }) => (
            <li key={path.join('.')}>
              <code>{path.join('.')}</code>: {message}
            </li>
          ))}
        </ul>
      )}
      {edit?.notes.map((note) => (
        <p key={note} class="note note-warn">
          {note}
        </p>
      ))}
      {edit !== undefined && edit.starts.length > 0 && <Starts servers={edit.starts} />}
      {edit !== undefined && (edit.diff === '' ? <p>No changes.</p> : <DiffView diff={edit.diff} />)}
    </Dialog>
  )
}

/** By saving, the person consents to these commands and addresses. */
function Starts({ servers }: { servers: readonly StartedServer[] }) {
  return (
    <section class="form" aria-label="Servers that agents start">
      <h3>
        When you save, agents start {servers.length === 1 ? 'this server' : 'these servers'}, including agents
        that are running now.
      </h3>
      <p>
        Commands run on your computer with your permissions. Save only if you trust{' '}
        {servers.length === 1 ? 'it' : 'all of them'}.
      </p>
      {servers.map(({ name, commandLine, address }) => (
        <div key={name}>
          <strong>{name}</strong>
          <pre class="command" tabIndex={0} aria-label={`What ${name} runs or connects to`}>
            {commandLine}
          </pre>
          {address !== undefined && <PrivateAddress address={address} class="note note-warn" />}
        </div>
      ))}
    </section>
  )
}

/** The settings without the empty lines that a person leaves while typing. */
export function cleanSettings(settings: AgentSettings): AgentSettings {
  const tools = Object.entries(settings.tools).map(([name, { keepVariables, privateHosts, ...rest }]) => {
    const lists = { keepVariables: filled(keepVariables), privateHosts: filled(privateHosts) }
    return [
      name,
      { ...rest, ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) },
    ]
  })
  return { ...settings, tools: Object.fromEntries(tools) as AgentSettings['tools'] }
}

function filled(lines: readonly string[] = []): readonly string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}
