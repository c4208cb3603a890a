import { sessionPath } from '../../route.ts'
import type { FormBody, PageBody, StoredQuestion } from '../../../api.ts'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Answers } from '../../parts/answers.tsx'
import { BusyButton } from '../../parts/buttons.tsx'
import { ElicitationForm } from '../../parts/elicitation-form.tsx'
import { ForeignLink, Link } from '../../parts/link.tsx'
import { Failure } from '../../parts/loading.tsx'
import { Time } from '../../parts/time.tsx'
import { describeQuestion } from '../../text/describe-question.ts'
import { notOpenable, toOpenable } from '../../text/to-openable.ts'
import { useAnswer } from './use-shown-questions.ts'

interface ServerQuestionProps {
  question: StoredQuestion
  body: FormBody | PageBody
  children: ComponentChildren
}

/** The text of a server, clearly marked as such, with the means to answer. */
function ServerQuestion({ question, body: { message }, children }: ServerQuestionProps) {
  const titleId = useId()
  return (
    <article class="card question" aria-labelledby={titleId}>
      <header class="card-head">
        <h2 id={titleId} tabIndex={-1}>
          {describeQuestion(question)}
        </h2>
        <span class="spacer" />
        <Time at={question.askedAt} />
      </header>
      <QuestionPlace question={question} />
      <p class="message-text">{message}</p>
      {children}
    </article>
  )
}

export function QuestionPlace({ question: { sessionId, sessionTitle, cwd } }: { question: StoredQuestion }) {
  return (
    <p class="muted">
      {'In '}
      <Link to={sessionPath(sessionId)}>{sessionTitle ?? 'Untitled session'}</Link>
      {cwd !== null && (
        <>
          {' · '}
          <span class="mono">{cwd}</span>
        </>
      )}
    </p>
  )
}

/** A form of a server or of the agent. What is typed is sent only by the button. */
export function FormQuestion({ question, body }: { question: StoredQuestion; body: FormBody }) {
  const { answer, busy, failure } = useAnswer(question)
  const [owner, reader] = body.server === null ? ['the agent', 'the model'] : [body.server, 'the server']
  return (
    <ServerQuestion question={question} body={body}>
      <ElicitationForm
        schema={body.schema}
        isBusy={busy !== undefined}
        send="Send"
        onSend={(content) => void answer({ choice: 'accept', arguments: content }, `Sent to ${owner}.`)}
        above={
          <>
            <p class="hint">Do not enter passwords or keys: {reader} reads what you send.</p>
            <Failure failure={failure} />
          </>
        }
      >
        <Decline answer={answer} isBusy={busy !== undefined} />
      </ElicitationForm>
    </ServerQuestion>
  )
}

function Decline({ answer, isBusy }: Pick<ReturnType<typeof useAnswer>, 'answer'> & { isBusy: boolean }) {
  return (
    <BusyButton
      isBusy={isBusy}
      class="button-danger-quiet"
      aria-keyshortcuts="r"
      onClick={() => void answer({ choice: 'decline' }, 'Declined.')}
    >
      Decline
    </BusyButton>
  )
}

/** A page that a server asks the person to open. It opens in a new tab, which knows nothing about the console. */
export function PageQuestion({ question, body }: { question: StoredQuestion; body: PageBody }) {
  const { answer, busy, failure } = useAnswer(question)
  const href = toOpenable(body.url)
  const accept = () => void answer({ choice: 'accept' }, `${body.server} was told that you opened the page.`)
  return (
    <ServerQuestion question={question} body={body}>
      <pre class="command" tabIndex={0} aria-label="Page to open">
        {body.url}
      </pre>
      {href === undefined && <p class="note note-warn">{notOpenable}</p>}
      <Failure failure={failure} />
      <Answers>
        {href === undefined ? (
          <BusyButton isBusy={busy !== undefined} onClick={accept}>
            I have opened it
          </BusyButton>
        ) : (
          <ForeignLink url={body.url} href={href} class="button button-primary" onOpen={accept}>
            Open {new URL(href).host}
          </ForeignLink>
        )}
        <Decline answer={answer} isBusy={busy !== undefined} />
      </Answers>
    </ServerQuestion>
  )
}
