import { counted } from '@ostler/agent-api/browser'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerServer, PersonQuestion, ServerView } from '../../../api.ts'
import { post, serverApi } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { Answers } from '../../parts/answers.tsx'
import { BusyButton } from '../../parts/buttons.tsx'
import { DeclineButtons, ElicitationForm } from '../../parts/elicitation-form.tsx'
import { Failure } from '../../parts/loading.tsx'
import { Form, TextField } from '../../parts/form.tsx'
import { ForeignLink } from '../../parts/link.tsx'
import { RequestedOfModel } from '../../parts/messages.tsx'
import { useAttempt } from '../../parts/use-attempt.tsx'
import { notOpenable, toOpenable } from '../../text/to-openable.ts'

type Asked<K extends PersonQuestion['asked']['kind']> = Extract<PersonQuestion['asked'], { kind: K }>
type Answer = AnswerServer['answer']

interface AskedProps<T> {
  asked: T
  isBusy: boolean
  onAnswer: (answer: Answer) => void
}

/** The questions of a server while it is tried. Only the person answers them. */
export function ServerQuestions({
  server,
  questions,
}: {
  server: ServerView
  questions: readonly PersonQuestion[]
}) {
  const count = questions.length
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (count === 0) return
    announce(`${server.name} asks you something.`)
    // The person may have scrolled down to the tool, but must not lose what is being typed.
    const active = document.activeElement
    if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) return
    section.current?.scrollIntoView({ block: 'nearest' })
    section.current?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  }, [count])
  if (count === 0) return null
  return (
    <section ref={section} class="server-questions" aria-label={`Questions of ${server.name}`}>
      {questions.map((question) => (
        <Question key={question.id} server={server} question={question} />
      ))}
    </section>
  )
}

function Question({ server, question: { id, asked } }: { server: ServerView; question: PersonQuestion }) {
  const [isGiven, setGiven] = useState(false)
  const { attempt, failure } = useAttempt()
  const onAnswer = (given: Answer) => {
    const body: AnswerServer = { question: id, answer: given }
    setGiven(true)
    void attempt(
      () => post(serverApi(server.id, 'answer'), body),
      () => setGiven(false),
    )
  }
  const props = { isBusy: isGiven, onAnswer }
  return (
    <article
      class="card question"
      aria-label={asked.kind === 'sampling' ? 'Asks to use your model' : 'Asks you'}
    >
      {asked.kind === 'sampling' ? (
        <Sampling asked={asked} {...props} />
      ) : (
        <Elicitation server={server} asked={asked} {...props} />
      )}
      <Failure failure={failure} />
    </article>
  )
}

function Elicitation({
  server,
  asked,
  isBusy,
  onAnswer,
}: AskedProps<Asked<'form' | 'page'>> & { server: ServerView }) {
  return (
    <>
      <header class="card-head">
        <h2 tabIndex={-1}>{server.name} asks you</h2>
        <span class="badge">elicitation</span>
      </header>
      <p class="pre-line">{asked.message}</p>
      {asked.kind === 'form' ? (
        <>
          <p class="note">Do not enter passwords or keys: the server reads what you send.</p>
          <ElicitationForm
            schema={asked.schema}
            isBusy={isBusy}
            send="Send answer"
            onSend={(content) => onAnswer({ action: 'accept', content })}
          >
            <DeclineButtons onAnswer={onAnswer} />
          </ElicitationForm>
        </>
      ) : (
        <Page asked={asked} isBusy={isBusy} onAnswer={onAnswer} />
      )}
    </>
  )
}

function Page({ asked, isBusy, onAnswer }: AskedProps<Asked<'page'>>) {
  const host = URL.parse(asked.url)?.host ?? ''
  const href = toOpenable(asked.url)
  return (
    <>
      <p>
        It wants you to open a page on <strong>{host}</strong>:
      </p>
      <p>
        <ForeignLink url={asked.url} href={href} onOpen={() => onAnswer({ action: 'accept' })} />
      </p>
      {href === undefined && <p class="note note-warn">{notOpenable}</p>}
      <Answers>
        <BusyButton isBusy={isBusy} class="button-primary" onClick={() => onAnswer({ action: 'accept' })}>
          I have opened it
        </BusyButton>
        <DeclineButtons onAnswer={onAnswer} />
      </Answers>
    </>
  )
}

function Sampling({ asked, isBusy, onAnswer }: AskedProps<Asked<'sampling'>>) {
  const [text, setText] = useState('')
  const [model, setModel] = useState('person')
  const [errors, setErrors] = useState<readonly string[]>([])
  const { systemPrompt, messages, maxTokens, temperature, stopSequences } = asked
  const limits = [
    `at most ${counted(maxTokens, 'token')}`,
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(stopSequences === undefined
      ? []
      : [`stops at ${stopSequences.map((stop) => JSON.stringify(stop)).join(', ')}`]),
  ]
  return (
    <Form
      onSubmit={() => {
        if (text === '') setErrors(['Required.'])
        else if (!isBusy) onAnswer({ action: 'say', text, model: model === '' ? 'person' : model })
      }}
    >
      <header class="card-head">
        <h2 tabIndex={-1}>{asked.server} asks to use your model</h2>
        <span class="badge">sampling</span>
      </header>
      <p class="muted">
        No model runs here: you answer in its place. The server asks for {limits.join(', ')}.
      </p>
      <RequestedOfModel systemPrompt={systemPrompt} messages={messages} />
      <TextField label="Answer" isRequired rows={4} value={text} errors={errors} onInput={setText} />
      <TextField
        label="Model"
        hint="The model name to report to the server."
        value={model}
        onInput={setModel}
      />
      <Answers>
        <BusyButton isBusy={isBusy} type="submit" class="button-primary">
          Send answer
        </BusyButton>
        <button type="button" onClick={() => onAnswer({ action: 'decline' })}>
          Reject
        </button>
      </Answers>
    </Form>
  )
}
