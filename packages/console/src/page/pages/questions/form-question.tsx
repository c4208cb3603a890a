import type { FormQuestion as Body } from '@ostler/agent-api/manage'
import { useMemo } from 'preact/hooks'
import type { StoredQuestion } from '../../../api.ts'
import { Answers } from '../../parts/answers.tsx'
import { useArguments } from '../../parts/arguments-editor.tsx'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Form } from '../../parts/form.tsx'
import { SchemaForm } from '../../parts/schema-form.tsx'
import { toField } from '../../schema/field.ts'
import { ServerQuestion } from './server-question.tsx'
import { useAnswer } from './use-answer.ts'

/** A form of a server or of the agent. What is typed is sent only by the button. */
export function FormQuestion({ question, body }: { readonly question: StoredQuestion; readonly body: Body }) {
  const field = useMemo(() => toField(body.schema), [body.schema])
  const editor = useArguments(field)
  const { answer, busy, failure } = useAnswer(question)
  const send = async () => {
    const content = await editor.read()
    if (content !== undefined) await answer({ choice: 'accept', arguments: content }, `Sent to ${body.server ?? 'the agent'}.`)
  }
  return (
    <ServerQuestion question={question} body={body}>
      <Form isBusy={busy !== undefined} onSubmit={() => void send()}>
        <SchemaForm field={field} entry={editor.entry} path="" issues={editor.issues} onChange={editor.setEntry} />
        <p class="hint">Do not enter passwords or keys: {body.server === null ? 'the model' : 'the server'} reads what you send.</p>
        <Failure failure={failure} />
        <Answers>
          <BusyButton isBusy={busy !== undefined} type="submit" class="button-primary">
            Send
          </BusyButton>
          <BusyButton
            isBusy={busy !== undefined}
            class="button-danger-quiet"
            aria-keyshortcuts="r"
            onClick={() => void answer({ choice: 'decline' }, 'Declined.')}
          >
            Decline
          </BusyButton>
        </Answers>
      </Form>
    </ServerQuestion>
  )
}
