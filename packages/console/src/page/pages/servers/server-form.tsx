import type { NewServer, SecretView, ServerIssue, ServerView, Validated } from '../../../api.ts'
import { useState } from 'preact/hooks'
import { type ApiFailure, isCancelled, post, serverApi } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { BusyButton } from '../../parts/buttons.tsx'
import { useAttempt } from '../../parts/use-attempt.tsx'
import { Dialog, useLeave } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/loading.tsx'
import { Form, Segments } from '../../parts/form.tsx'
import { focusInvalid } from '../../parts/move-focus.ts'
import { useAfterPress } from '../../parts/use-after-press.ts'
import { useDelayed } from '../../parts/use-delayed.ts'
import { optionsOf, transportWords } from '../../text/setting-words.ts'
import { toSentence } from '../../text/to-sentence.ts'
import { ConnectionFields } from './connection-fields.tsx'
import { type Draft, isOfOthers, otherSettings, toNewServer, toUpdates } from './draft.ts'
import { DraftText } from './draft-fields.tsx'
import { OtherSettings } from './other-settings.tsx'
import { TestConnection } from './test-connection.tsx'

export interface ServerFormProps {
  title: string
  draft: Draft
  server?: ServerView
  note?: string
  onClose: () => void
  onSaved: (server: ServerView) => void
}

export interface FormPart {
  readonly draft: Draft
  readonly secrets: readonly SecretView[]
  readonly change: (change: Partial<Draft>) => void
  /** The errors of a field and everything in it. Empty until the person has visited the field. */
  readonly errorsOf: (...path: readonly string[]) => readonly string[]
  readonly touch: (field: string) => void
}

const validateAfterMs = 250

export function ServerForm({ title, draft: opened, server, note, onClose, onSaved }: ServerFormProps) {
  const [initial] = useState(opened)
  const [draft, setDraft] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isComplete, setComplete] = useState(false)
  const afterPress = useAfterPress()
  const { attempt, send, failure, forget, isBusy: isSaving, dialog } = useAttempt()
  const draftServer: NewServer & { id?: string } =
    server === undefined
      ? toNewServer(draft)
      : { ...toNewServer(draft), ...toUpdates(draft, initial), id: server.id }
  const validated = useValidated(draftServer)
  const issues =
    failure !== undefined && failure.issues.length > 0 ? failure.issues : (validated?.issues ?? [])

  const part: FormPart = {
    draft,
    secrets: server?.secrets ?? [],
    change: (change) => {
      forget()
      setDraft((last) => ({ ...last, ...change }))
    },
    errorsOf: (...path) => (isComplete || touched.has(path[0] ?? '') ? messagesAt(issues, path) : []),
    touch: (field) =>
      afterPress(() => setTouched((last) => (last.has(field) ? last : new Set([...last, field])))),
  }

  const save = async (form: HTMLFormElement) => {
    setComplete(true)
    // Agents start the saved server, so the person must confirm it.
    const saved = await attempt(
      () =>
        server === undefined
          ? send<ServerView>('Save and run', '/api/servers', toNewServer(draft))
          : send<ServerView>('Save and run', serverApi(server.id), toUpdates(draft, initial), {
              method: 'PATCH',
            }),
      () => focusInvalid(form),
    )
    if (saved === undefined) return
    announce(`${saved.name} is saved.`)
    onSaved(saved)
  }

  const { leave, question } = useLeave(() => JSON.stringify(draft) !== JSON.stringify(initial), onClose)

  return (
    <Dialog
      title={title}
      size="large"
      onClose={leave}
      closeLabel="Cancel"
      failure={failure !== undefined && !isSaidByFields(failure) && <Failure failure={failure} />}
      actions={
        <BusyButton isBusy={isSaving} type="submit" form="server-form" class="button-primary">
          Save
        </BusyButton>
      }
    >
      <Form id="server-form" isBusy={isSaving} onSubmit={(form) => void save(form)}>
        {note !== undefined && <p class="note">{note}</p>}
        <div class="form-row">
          <DraftText part={part} field="name" label="Name" isRequired isFocused />
          <DraftText part={part} field="description" label="Description" />
        </div>
        <Segments
          label="Transport"
          value={draft.type}
          options={optionsOf(transportWords)}
          onChange={(type) => part.change({ type })}
        />
        <ConnectionFields {...part} />
        <OtherSettings {...part} />
        <TestConnection
          draft={draftServer}
          type={draft.type}
          commandLine={validated?.commandLine}
          onStart={() => setComplete(true)}
        />
        <p class="hint">
          When you save, agents that use stored servers start this server, including agents that are running
          now.
        </p>
      </Form>
      {dialog}
      {question}
    </Dialog>
  )
}

/** Validates the form while it is edited. Errors of the request are ignored, because saving validates again. */
function useValidated(draft: NewServer & { readonly id?: string }): Validated | undefined {
  const [validated, setValidated] = useState<Validated>()
  useDelayed(JSON.stringify(draft), validateAfterMs, (signal) => {
    post<Validated>('/api/servers/validate', draft, signal)
      .then(setValidated)
      .catch((error: unknown) => {
        if (!isCancelled(error)) setValidated(undefined)
      })
  })
  return validated
}

function messagesAt(issues: readonly ServerIssue[], path: readonly string[]): string[] {
  if (path[0] === otherSettings)
    return issues
      .filter(isOfOthers)
      .map(({ path: at, message }) =>
        at[0] === otherSettings ? notOthers : `${at.join('.')}: ${toSentence(message)}`,
      )
  return issues
    .filter((issue) => path.every((step, index) => String(issue.path[index]) === step))
    .map(({ message }) => toText(message))
}

function toText(message: string): string {
  if (missing.has(message)) return 'Required.'
  return message.includes('allowInsecureHttp') ? insecure : toSentence(message)
}

const notOthers = 'Write a JSON object. It cannot contain what has its own place on the page.'
const insecure = 'Use https, or allow unencrypted HTTP below.'
const missing: ReadonlySet<string> = new Set(['missing', 'must not be empty'])

/** Each of these shows its error. */
const ownFields: ReadonlySet<unknown> = new Set(['name', 'description', 'command', 'args', 'cwd', 'url'])

function isSaidByFields({ issues }: ApiFailure): boolean {
  return issues.length > 0 && issues.every((issue) => ownFields.has(issue.path[0]) || isOfOthers(issue))
}
