import { useId, useMemo, useState } from 'preact/hooks'
import type { AnswerQuestion, StoredQuestion } from '../../../api.ts'
import { type ApiFailure, request, toFailure } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { ArgumentsEditor, useArguments } from '../../parts/arguments-editor.tsx'
import { BusyButton } from '../../parts/busy-button.tsx'
import { ContentView } from '../../parts/content-view.tsx'
import { DiffView } from '../../parts/diff-view.tsx'
import { Failure } from '../../parts/failure.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/time.tsx'
import { toField } from '../../schema/field.ts'
import { visible } from '../../text/visible.ts'
import { describeClaims } from './describe-claims.ts'

const classes: Readonly<Record<string, string>> = {
  allow_once: 'button-primary',
  reject_once: 'button-danger-quiet',
  reject_always: 'button-danger-quiet',
}

/** One question, with everything a person needs to know to answer it. */
export function Question({ question }: { readonly question: StoredQuestion }) {
  const { id, sessionId, sessionTitle, cwd, askedAt, body } = question
  const titleId = useId()
  const field = useMemo(() => toField(body.inputSchema ?? {}), [body.inputSchema])
  const editor = useArguments(field)
  const [isEditing, setEditing] = useState(false)
  const [busy, setBusy] = useState<string | undefined>()
  const [failure, setFailure] = useState<ApiFailure | undefined>()

  const answer = async (choice: string, args?: AnswerQuestion['arguments']) => {
    setBusy(choice)
    setFailure(undefined)
    try {
      const given: AnswerQuestion = { choice, ...(args !== undefined && { arguments: args }) }
      await request(`/api/questions/${encodeURIComponent(id)}/answer`, { method: 'POST', body: given })
      announce(choice.startsWith('allow') ? 'Allowed.' : 'Rejected.')
    } catch (error) {
      setFailure(toFailure(error))
      setBusy(undefined)
    }
  }
  const allowEdited = async () => {
    const args = await editor.read()
    if (args !== undefined) void answer('allow-once', args)
  }
  return (
    <article class="card question" aria-labelledby={titleId}>
      <header class="card-head">
        <h2 id={titleId}>{body.title}</h2>
        <span class="badge">{body.ref.server ?? 'Ostler'}</span>
        <code class="muted">{body.ref.tool}</code>
        <span class="spacer" />
        <Time at={askedAt} />
      </header>
      <p class="muted wrap">
        {'In '}
        <Link to={`/sessions/${encodeURIComponent(sessionId)}`}>{sessionTitle ?? 'Untitled session'}</Link>
        {cwd !== null && (
          <>
            {' · '}
            <span class="mono">{cwd}</span>
          </>
        )}
      </p>
      <Warnings body={body} />
      {isEditing ? (
        <ArgumentsEditor editor={editor} field={field} />
      ) : (
        <>
          {body.plan?.command !== undefined && (
            <>
              <pre class="command" tabIndex={0} aria-label="Command">
                {visible(body.plan.command.line)}
              </pre>
              <p class="muted">
                Runs in <code>{body.plan.command.cwd}</code>
              </p>
            </>
          )}
          {body.content.length > 0 && <ContentView content={body.content} />}
          {body.content.length === 0 && (
            <section aria-label="Arguments">
              <JsonTree value={body.args} />
            </section>
          )}
        </>
      )}
      {failure !== undefined && <Failure failure={failure} />}
      <div class="actions question-answers">
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
              <BusyButton key={choice} isBusy={busy === choice} class={classes[kind] ?? ''} onClick={() => void answer(choice)}>
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
      </div>
    </article>
  )
}

/** Warnings about the call, and the claims of its server. */
function Warnings({ body: { plan, changes = [], difference, claims, serverOrigin, ref } }: Pick<StoredQuestion, 'body'>) {
  const { sensitive = [], outside = [] } = plan ?? {}
  const said = describeClaims(claims)
  return (
    <>
      {changes.length > 0 && <p class="note note-warn">You allowed it before, but it has changed since: {changes.join(', ')}.</p>}
      {changes.length > 0 && difference === null && <p class="muted">What it said then was not kept, so it cannot be compared.</p>}
      {changes.length > 0 && typeof difference === 'string' && difference !== '' && <DiffView diff={difference} />}
      {sensitive.length > 0 && (
        <p class="note note-warn wrap">This usually holds secrets, or can make another program run: {sensitive.join(', ')}</p>
      )}
      {outside.length > 0 && <p class="note note-warn wrap">This is outside the session’s directories: {outside.join(', ')}</p>}
      {(sensitive.length > 0 || outside.length > 0) && plan?.command === undefined && (
        <p class="muted">If it changes a file, the change is shown in your editor only.</p>
      )}
      {said !== '' && <p class="muted">The server says: {said}.</p>}
      {serverOrigin !== undefined && (
        <pre class="command" tabIndex={0} aria-label={`What ${ref.server ?? 'the server'} runs`}>
          {visible(serverOrigin)}
        </pre>
      )}
    </>
  )
}
