import { counted } from '@ostler/agent-api/browser'
import { useState } from 'preact/hooks'
import type { FoundEntry, FoundPrograms, ImportPreview, ImportServer, ServerView } from '../../../api.ts'
import { type ApiFailure, isCancelled, post, toFailure } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { announce } from '../../parts/announce.tsx'
import { BusyButton } from '../../parts/buttons.tsx'
import { Dialog, useLeave, useTyped } from '../../parts/dialog.tsx'
import { Form, TextField } from '../../parts/form.tsx'
import { Failure } from '../../parts/loading.tsx'
import { useAttempt } from '../../parts/use-attempt.tsx'
import { useDelayed } from '../../parts/use-delayed.ts'
import { escapeHidden } from '../../text/visible.ts'
import {
  FoundBadges,
  FoundDetails,
  FoundList,
  type Given,
  givenFor,
  isComplete,
  valuesOf,
} from './found-list.tsx'
import { RegistrySearchFields } from './registry-search.tsx'

type Source = Pick<ImportServer, 'text' | 'program' | 'registry'>

interface AddDialogProps {
  onClose: () => void
  /** Continues with the form, which has a field for everything. */
  onForm: (text: string) => void
  onAdded: (server: ServerView) => void
  onChange: () => void
}

export function AddDialog({ onClose, onForm, onAdded, onChange }: AddDialogProps) {
  const [text, setText] = useState('')
  const { preview, failure } = usePasted(text)
  // Text copied from a page may contain hidden characters.
  const paste = (pasted: string) => setText(escapeHidden(pasted.replace(/^\uFEFF/, '')))
  const adding = useAdding(onChange)
  const { isTyped, onInput } = useTyped()
  const { leave, question } = useLeave(isTyped, onClose)

  const add = async (source: Source, entry: FoundEntry, given: Given) => {
    const server = await adding.add(source, entry, given)
    if (server !== undefined) onAdded(server)
  }
  const addAll = async (source: Source, entries: readonly FoundEntry[]) => {
    if (await adding.addAll(source, entries)) onClose()
  }
  const single = preview?.servers.length === 1 ? preview.servers[0] : undefined
  return (
    <Dialog
      title="Add server"
      size="large"
      onClose={leave}
      closeLabel="Cancel"
      failure={<Failure failure={adding.failure} />}
      actions={
        <>
          <button type="button" onClick={() => onForm(text)}>
            Fill in a form
          </button>
          {single !== undefined && (
            <BusyButton isBusy={adding.isBusy} type="submit" form="add-server" class="button-primary">
              Add and connect
            </BusyButton>
          )}
        </>
      }
    >
      <div class="form" onInput={onInput}>
        <TextField
          label="Command line, URL or JSON"
          isMono
          isFocused
          rows={rowsFor(text)}
          value={text}
          placeholder="npx -y @modelcontextprotocol/server-filesystem ~/notes"
          hint="Paste it as the documentation shows it. Nothing runs until you have seen and confirmed the whole command."
          onInput={paste}
        />
        <Failure failure={failure} />
        {single !== undefined && (
          <SingleServer
            key={single.name}
            entry={single}
            onSubmit={(given) => void add({ text }, single, given)}
          />
        )}
        {preview !== undefined && single === undefined && (
          <FoundList
            title={`${counted(preview.servers.length, 'server')} found`}
            found={preview}
            isBusy={adding.isBusy}
            onAdd={(entry, given) => void add({ text }, entry, given)}
            onAddAll={(entries) => void addAll({ text }, entries)}
          />
        )}
        {text.trim() === '' && (
          <>
            <FileField onText={paste} />
            <RegistrySearchFields
              isBusy={adding.isBusy}
              onAdd={(registry, entry, given) => void add({ registry }, entry, given)}
            />
            <Programs adding={adding} onAdd={add} onAddAll={addAll} />
          </>
        )}
      </div>
      {adding.dialog}
      {question}
    </Dialog>
  )
}

function SingleServer({ entry, onSubmit }: { entry: FoundEntry; onSubmit: (given: Given) => void }) {
  const [given, setGiven] = useState(() => givenFor(entry))
  const [isTried, setTried] = useState(false)
  return (
    <Form
      id="add-server"
      onSubmit={() => {
        setTried(true)
        if (isComplete(entry, given)) onSubmit(given)
      }}
    >
      <p class="row-main">
        {entry.transport === 'stdio' ? 'This runs on your computer:' : 'This connects to:'}
        <FoundBadges entry={entry} />
      </p>
      <FoundDetails entry={entry} given={given} onChange={setGiven} />
      {isTried && !isComplete(entry, given) && (
        <p class="field-error" role="alert">
          Enter the required values.
        </p>
      )}
      <TextField
        label="Name"
        isRequired
        value={given.name}
        onInput={(name) => setGiven({ ...given, name })}
      />
    </Form>
  )
}

/** A long line wraps. */
function rowsFor(text: string): number {
  const lines = text.split('\n', 12).map((line) => Math.max(1, Math.ceil(line.length / 60)))
  return Math.min(
    12,
    Math.max(
      2,
      lines.reduce((sum, count) => sum + count, 0),
    ),
  )
}

function FileField({ onText }: { onText: (text: string) => void }) {
  return (
    <div class="field">
      <label for="import-file">Or choose a settings file or server.json</label>
      <input
        id="import-file"
        type="file"
        accept=".json,.jsonc,.toml,.txt,application/json"
        onChange={(event) => void event.currentTarget.files?.[0]?.text().then(onText)}
      />
    </div>
  )
}

interface ProgramsProps {
  adding: Adding
  onAdd: (source: Source, entry: FoundEntry, given: Given) => Promise<void>
  onAddAll: (source: Source, entries: readonly FoundEntry[]) => Promise<void>
}

function Programs({ adding, onAdd, onAddAll }: ProgramsProps) {
  const { data } = useLoaded<FoundPrograms>('/api/import/programs')
  if (data === undefined || data.programs.length === 0) return null
  return (
    <>
      <h3>Found on this computer</h3>
      {data.programs.map(({ program, paths, ...found }) => (
        <details key={program} class="form-section" open={data.programs.length === 1}>
          <summary>
            {programNames[program]} <span class="count">{counted(found.servers.length, 'server')}</span>
          </summary>
          <div class="column form-section-body">
            <p class="hint mono">{paths.join(' · ')}</p>
            <FoundList
              title={programNames[program]}
              isTitled
              found={found}
              isBusy={adding.isBusy}
              onAdd={(entry, given) => void onAdd({ program }, entry, given)}
              onAddAll={(entries) => void onAddAll({ program }, entries)}
            />
          </div>
        </details>
      ))}
    </>
  )
}

const programNames: Readonly<Record<FoundPrograms['programs'][number]['program'], string>> = {
  zed: 'Zed',
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  goose: 'goose',
}

type Adding = ReturnType<typeof useAdding>

function useAdding(onChange: () => void) {
  const { failure, isBusy, attempt, send, confirmCommands, dialog } = useAttempt()
  const sendEntry = (action: string, source: Source, entry: FoundEntry, given: Given, seen = {}) => {
    const values = valuesOf(entry, given)
    const body = { ...source, server: entry.name, name: given.name, values, ...seen }
    return send<ServerView>(action, '/api/import', body)
  }
  return {
    failure,
    isBusy,
    dialog,
    add: (source: Source, entry: FoundEntry, given: Given) =>
      attempt(() => sendEntry('Run and connect', source, entry, given)).finally(onChange),
    /** Agents start what is added, so the person confirms all commands first. */
    addAll: async (source: Source, entries: readonly FoundEntry[]) => {
      const commands = entries
        .filter(({ transport }) => transport === 'stdio')
        .map(({ commandLine }) => commandLine)
      const added = await attempt(async () => {
        if (commands.length > 0) await confirmCommands('Add', commands)
        for (const entry of entries) {
          const seen = { confirmed: true, confirmedCommandLine: entry.commandLine }
          await sendEntry('Add', source, entry, givenFor(entry), seen)
        }
        return entries.length
      }).finally(onChange)
      if (added !== undefined) announce(`${counted(added, 'server')} added.`)
      return added !== undefined
    },
  }
}

interface Understood {
  readonly preview?: ImportPreview
  readonly failure?: ApiFailure
}

const lookAfterMs = 200

/** The meaning of a pasted text. Never returns the result of an older text. */
function usePasted(text: string): Understood {
  const [result, setResult] = useState<Understood & { readonly of: string }>()
  useDelayed(text, lookAfterMs, (signal) => {
    if (text.trim() === '') return
    post<ImportPreview>('/api/import/preview', { text }, signal).then(
      (preview) => setResult({ of: text, preview }),
      (error: unknown) => {
        if (!isCancelled(error)) setResult({ of: text, failure: toFailure(error) })
      },
    )
  })
  return result?.of === text ? result : {}
}
