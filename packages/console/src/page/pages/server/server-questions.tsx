import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerServer, PersonQuestion, ServerView } from '../../../api.ts'
import { type ApiFailure, post, serverApi, toFailure } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { Answers } from '../../parts/answers.tsx'
import { BusyButton } from '../../parts/busy-button.tsx'
import { DeclineButtons } from '../../parts/decline-buttons.tsx'
import { ElicitationForm } from '../../parts/elicitation-form.tsx'
import { Failure } from '../../parts/failure.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { ForeignLink } from '../../parts/foreign-link.tsx'
import { RequestedOfModel } from '../../parts/requested-of-model.tsx'
import { counted } from '../../text/quantities.ts'
import { notOpenable, toOpenable } from '../../text/to-openable.ts'

type Asked<K extends PersonQuestion['asked']['type']> = Extract<PersonQuestion['asked'], { type: K }>
type Answer = AnswerServer['answer']

interface AskedProps<T> {
  readonly asked: T
  readonly isBusy: boolean
  readonly onAnswer: (answer: Answer) => void
}

/** The questions of a server while it is tried. Only the person answers them. */
export function ServerQuestions({ server, questions }: { readonly server: ServerView; readonly questions: readonly PersonQuestion[] }) {
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

function Question({ server, question: { id, asked } }: { readonly server: ServerView; readonly question: PersonQuestion }) {
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const [isBusy, setBusy] = useState(false)
  const answer = async (given: Answer) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const body: AnswerServer = { question: id, answer: given }
      await post(serverApi(server.id, 'answer'), body)
    } catch (error) {
      setFailure(toFailure(error))
      setBusy(false)
    }
  }
  const props = { isBusy, onAnswer: (given: Answer) => void answer(given) }
  return (
    <article class="card question" aria-label={asked.type === 'sampling' ? 'Asks to use your model' : 'Asks you'}>
      {asked.type === 'sampling' ? <Sampling asked={asked} {...props} /> : <Elicitation server={server} asked={asked} {...props} />}
      <Failure failure={failure} />
    </article>
  )
}

function Elicitation({ server, asked, isBusy, onAnswer }: AskedProps<Asked<'elicitation'>> & { readonly server: ServerView }) {
  return (
    <>
      <header class="card-head">
        <h2 tabIndex={-1}>{server.name} asks you</h2>
        <span class="badge">elicitation</span>
      </header>
      <p class="wrap pre-line">{asked.message}</p>
      {asked.mode === 'form' ? (
        <>
          <p class="note">Do not enter passwords or keys: the server reads what you send.</p>
          <ElicitationForm schema={asked.schema} isBusy={isBusy} onAnswer={onAnswer} />
        </>
      ) : (
        <Page asked={asked} isBusy={isBusy} onAnswer={onAnswer} />
      )}
    </>
  )
}

function Page({ asked, isBusy, onAnswer }: AskedProps<Extract<Asked<'elicitation'>, { mode: 'url' }>>) {
  const host = URL.parse(asked.url)?.host ?? ''
  const href = toOpenable(asked.url)
  return (
    <>
      <p>
        It wants you to open a page on <strong class="wrap">{host}</strong>:
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
    ...(stopSequences === undefined ? [] : [`stops at ${stopSequences.map((stop) => JSON.stringify(stop)).join(', ')}`]),
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
      <p class="muted">No model runs here: you answer in its place. The server asks for {limits.join(', ')}.</p>
      <RequestedOfModel systemPrompt={systemPrompt} messages={messages} />
      <TextField label="Answer" isRequired rows={4} value={text} errors={errors} onInput={setText} />
      <TextField label="Model" hint="The model name to report to the server." value={model} onInput={setModel} />
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
