import { useState } from 'preact/hooks'
import type { ImportPreview, ImportResult } from '../../../api.ts'
import { type ApiFailure, request, toFailure } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { TextField } from '../../parts/field.tsx'
import { counted } from '../../text/quantities.ts'

/** Imports from a file or the clipboard. The preview starts and stores nothing. */
export function ImportDialog({ onClose, onImported }: { readonly onClose: () => void; readonly onImported: () => void }) {
  const [text, setText] = useState('')
  const [preview, setPreview] = useState<ImportPreview | undefined>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [result, setResult] = useState<ImportResult | undefined>()
  const [failure, setFailure] = useState<ApiFailure | undefined>()

  const attempt = async (run: () => Promise<void>) => {
    setFailure(undefined)
    try {
      await run()
    } catch (error) {
      setFailure(toFailure(error))
    }
  }
  const look = (source: string) =>
    attempt(async () => {
      const found = await request<ImportPreview>('/api/import/preview', { method: 'POST', body: { text: source } })
      setPreview(found)
      setChosen(new Set(found.servers.filter(({ taken }) => !taken).map(({ name }) => name)))
    })
  const add = () =>
    attempt(async () => {
      const added = await request<ImportResult>('/api/import', { method: 'POST', body: { text, names: [...chosen] } })
      onImported()
      announce(`${counted(added.added.length, 'server')} imported.`)
      if (added.failed.length === 0) onClose()
      else setResult(added)
    })
  const readFile = (file: File | undefined) =>
    attempt(async () => {
      if (file === undefined) return
      const content = await file.text()
      setText(content)
      await look(content)
    })
  const toggle = (name: string, isOn: boolean) =>
    setChosen(new Set(isOn ? [...chosen, name] : [...chosen].filter((other) => other !== name)))

  return (
    <Dialog
      title="Import servers"
      size="large"
      onClose={onClose}
      actions={
        <>
          <button type="button" onClick={onClose}>
            {result === undefined ? 'Cancel' : 'Close'}
          </button>
          {preview === undefined ? (
            <button type="button" class="button-primary" disabled={text.trim() === ''} onClick={() => void look(text)}>
              Preview
            </button>
          ) : (
            result === undefined && (
              <button type="button" class="button-primary" disabled={chosen.size === 0} onClick={() => void add()}>
                Import {counted(chosen.size, 'server')}
              </button>
            )
          )}
        </>
      }
    >
      <div class="form">
        {preview === undefined && <Source text={text} onInput={setText} onFile={(file) => void readFile(file)} />}
        {preview !== undefined && result === undefined && (
          <Preview preview={preview} chosen={chosen} onToggle={toggle} onBack={() => setPreview(undefined)} />
        )}
        {result !== undefined && <Skipped title="Not imported" servers={result.failed} />}
        {failure !== undefined && <Failure failure={failure} />}
      </div>
    </Dialog>
  )
}

interface SourceProps {
  readonly text: string
  readonly onInput: (text: string) => void
  readonly onFile: (file: File | undefined) => void
}

function Source({ text, onInput, onFile }: SourceProps) {
  return (
    <>
      <p>
        The settings of Claude, Cursor, LM Studio and others (<code>mcpServers</code>), of VS Code (<code>servers</code>), or of Zed (
        <code>context_servers</code>). You can review before anything is saved.
      </p>
      <div class="field">
        <label for="import-file">File</label>
        <input
          id="import-file"
          type="file"
          accept=".json,.jsonc,.txt,application/json"
          onChange={(event) => onFile(event.currentTarget.files?.[0])}
        />
      </div>
      <TextField label="Or paste settings here" isMono rows={10} value={text} onInput={onInput} placeholder={'{ "mcpServers": { … } }'} />
    </>
  )
}

interface PreviewProps {
  readonly preview: ImportPreview
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (name: string, isOn: boolean) => void
  readonly onBack: () => void
}

function Preview({ preview: { servers, format, notes, skipped }, chosen, onToggle, onBack }: PreviewProps) {
  return (
    <>
      <p>
        {counted(servers.length, 'server')} found ({format}).{' '}
        <button type="button" class="button-small" onClick={onBack}>
          Back
        </button>
      </p>
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      <ul class="rows" aria-label="Servers to import">
        {servers.map(({ name, commandLine, secrets, taken }) => (
          <li key={name} class="row">
            <label class="row-main">
              <input
                type="checkbox"
                checked={chosen.has(name)}
                disabled={taken}
                onChange={(event) => onToggle(name, event.currentTarget.checked)}
              />
              <strong>{name}</strong>
              {taken && <span class="badge badge-warn">Name already in use</span>}
              {secrets.length > 0 && (
                <span class="badge" title={secrets.join(', ')}>
                  {counted(secrets.length, 'secret')}
                </span>
              )}
            </label>
            <p class="mono wrap muted">{commandLine}</p>
          </li>
        ))}
      </ul>
      <Skipped title="Skipped" servers={skipped} />
      <p class="muted">Importing starts these servers in agents that use stored servers, including those running now.</p>
    </>
  )
}

function Skipped({ title, servers }: { title: string; servers: readonly { readonly name: string; readonly reason: string }[] }) {
  if (servers.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="rows">
        {servers.map(({ name, reason }) => (
          <li key={name} class="row">
            <strong>{name}</strong>
            <p class="server-warning">{reason}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
