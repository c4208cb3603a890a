import { describeClaims, describeFence } from '@ostler/agent-api/browser'
import type { CallBody, StoredQuestion } from '../../../api.ts'
import { useId, useMemo, useState } from 'preact/hooks'
import { Answers } from '../../parts/answers.tsx'
import { ArgumentsEditor, useArguments } from '../../parts/arguments-editor.tsx'
import { BusyButton } from '../../parts/buttons.tsx'
import { ContentView } from '../../parts/content-view.tsx'
import { DefinitionDiff } from '../../parts/diff-view.tsx'
import { Failure } from '../../parts/loading.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { RequestedOfModel } from '../../parts/messages.tsx'
import { Time } from '../../parts/time.tsx'
import { isSameJson } from '../../schema/entry.ts'
import { toField } from '../../schema/field.ts'
import { toModelRequest } from '../../schema/to-model-request.ts'
import { QuestionPlace } from './server-question.tsx'
import { useAnswer } from './use-shown-questions.ts'

const classes: Readonly<Record<string, string>> = {
  allow_once: 'button-primary',
  reject_once: 'button-danger-quiet',
  reject_always: 'button-danger-quiet',
}

/** They work while the question has the focus. */
const keys: Readonly<Record<string, string>> = { 'allow-once': 'a', 'allow-session': 's', 'reject-once': 'r' }

const said: Readonly<Record<string, string>> = {
  'allow-once': 'Allowed once.',
  'allow-session': 'Allowed for this session.',
  'allow-always': 'Always allowed.',
  'allow-server': 'All tools of the server are always allowed.',
  'reject-once': 'Rejected.',
  'reject-always': 'Always rejected.',
}

export function CallQuestion({ question, body }: { question: StoredQuestion; body: CallBody }) {
  const titleId = useId()
  const field = useMemo(() => toField(body.inputSchema ?? {}), [body.inputSchema])
  const editor = useArguments(field)
  const [isEditing, setEditing] = useState(false)
  const { answer: give, busy, failure } = useAnswer(question)

  const answer = (choice: string) => give({ choice }, said[choice] ?? 'Answered.')
  const allowEdited = async () => {
    const args = await editor.read()
    if (args === undefined) return
    // The model is told of a change, so there must be one.
    if (isSameJson(args, body.args))
      return body.plan === undefined ? void answer('allow-once') : setEditing(false)
    // For a built-in tool, the question is asked again, with what the changed call would do.
    void give(
      { choice: 'allow-once', arguments: args },
      body.plan === undefined
        ? 'Allowed once, with your arguments.'
        : 'Arguments changed. See what the call would do now.',
    )
  }
  return (
    <article class="card question" aria-labelledby={titleId}>
      <header class="card-head">
        <h2 id={titleId} tabIndex={-1}>
          {body.title}
        </h2>
        <span class="badge">{body.ref.server ?? 'Ostler'}</span>
        <code class="muted">{body.ref.tool}</code>
        <span class="spacer" />
        <Time at={question.askedAt} />
      </header>
      <QuestionPlace question={question} />
      <Warnings body={body} />
      {isEditing ? (
        <ArgumentsEditor editor={editor} field={field} />
      ) : (
        <>
          {body.plan?.command !== undefined && (
            <>
              <pre class="command" tabIndex={0} aria-label="Command">
                {body.plan.command.line}
              </pre>
              <p class="muted">
                Runs in <code>{body.plan.command.cwd}</code>
                {body.plan.fence !== undefined && <>, {describeFence(body.plan.fence)}</>}
              </p>
            </>
          )}
          {body.content.length > 0 && <ContentView content={body.content} />}
          {body.content.length === 0 && <Arguments body={body} />}
        </>
      )}
      <Failure failure={failure} />
      <Answers>
        {isEditing ? (
          <>
            <BusyButton isBusy={busy !== undefined} class="button-primary" onClick={() => void allowEdited()}>
              {body.plan === undefined ? 'Allow with these arguments' : 'Show what this would do'}
            </BusyButton>
            <button type="button" onClick={() => setEditing(false)}>
              Back
            </button>
          </>
        ) : (
          <>
            {body.choices.map(({ id: choice, name, kind }) => (
              <BusyButton
                key={choice}
                isBusy={busy === choice}
                class={classes[kind] ?? ''}
                aria-keyshortcuts={keys[choice]}
                onClick={() => void answer(choice)}
              >
                {name}
              </BusyButton>
            ))}
            {body.isEditable && (
              <button
                type="button"
                onClick={() => {
                  editor.fill(body.args)
                  setEditing(true)
                }}
              >
                Edit arguments
              </button>
            )}
          </>
        )}
      </Answers>
    </article>
  )
}

function Arguments({ body: { ref, args, plan } }: { body: CallBody }) {
  const request = ref.server !== null && ref.tool === 'sampling' ? toModelRequest(args) : undefined
  if (request !== undefined) return <RequestedOfModel {...request} />
  const { command, ...others } = args
  const shown = command === plan?.command?.line ? others : args
  if (plan?.command !== undefined && Object.keys(shown).length === 0) return null
  return (
    <section aria-label="Arguments">
      <JsonTree value={shown} />
    </section>
  )
}

/** The command that runs as the server, or the address to which the arguments go. */
function ServerOrigin({ server, origin }: { server: string; origin: string }) {
  const id = useId()
  return (
    <div class="column server-origin">
      <p class="muted" id={id}>
        {/^https?:/.test(origin) ? 'Address' : 'Command'} of the server {server}
      </p>
      <pre class="command" tabIndex={0} aria-labelledby={id}>
        {origin}
      </pre>
    </div>
  )
}

function Warnings({
  body: { plan, warning, changes = [], difference, claims, serverOrigin, serverFence, ref },
}: {
  body: CallBody
}) {
  const { sensitive = [], outside = [] } = plan ?? {}
  const said = describeClaims(claims)
  return (
    <>
      {warning !== undefined && <p class="note note-warn">{warning}</p>}
      {changes.length > 0 && (
        <p class="note note-warn">You allowed it before, but it has changed since: {changes.join(', ')}.</p>
      )}
      {difference !== undefined && <DefinitionDiff difference={difference} />}
      {sensitive.length > 0 && (
        <p class="note note-warn">
          {plan?.command === undefined
            ? 'Files like this often contain secrets or can run other programs'
            : 'These files decide what the command runs'}
          : {sensitive.join(', ')}
        </p>
      )}
      {outside.length > 0 && (
        <p class="note note-warn">This is outside the session’s directories: {outside.join(', ')}</p>
      )}
      {(sensitive.length > 0 || outside.length > 0) && plan?.command === undefined && (
        <p class="muted">If it changes a file, the change is shown in your editor only.</p>
      )}
      {said !== '' && <p class="muted">The server says: {said}.</p>}
      {serverOrigin !== undefined && (
        <ServerOrigin server={ref.server ?? 'the server'} origin={serverOrigin} />
      )}
      {serverFence !== undefined && <p class="muted">It runs {describeFence(serverFence)}.</p>}
    </>
  )
}
