import type { PageQuestion as Body } from '@ostler/agent-api/manage'
import type { StoredQuestion } from '../../../api.ts'
import { Answers } from '../../parts/answers.tsx'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { notOpenable, toOpenable } from '../../text/to-openable.ts'
import { ServerQuestion } from './server-question.tsx'
import { useAnswer } from './use-answer.ts'

/** A page that a server asks the person to open. It opens in a new tab, which knows nothing about the console. */
export function PageQuestion({ question, body }: { readonly question: StoredQuestion; readonly body: Body }) {
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
          <a class="button button-primary" href={href} target="_blank" rel="noopener noreferrer" onClick={accept}>
            Open {new URL(href).host}
          </a>
        )}
        <BusyButton
          isBusy={busy !== undefined}
          class="button-danger-quiet"
          aria-keyshortcuts="r"
          onClick={() => void answer({ choice: 'decline' }, 'Declined.')}
        >
          Decline
        </BusyButton>
      </Answers>
    </ServerQuestion>
  )
}
