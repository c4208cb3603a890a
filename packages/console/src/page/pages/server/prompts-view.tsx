import { useState } from 'preact/hooks'
import type { Connected, McpPromptResult, ServerView } from '../../../api.ts'
import { serverApi } from '../../api/client.ts'
import { BusyButton } from '../../parts/buttons.tsx'
import { Form, SearchField } from '../../parts/form.tsx'
import { Empty, Failure } from '../../parts/loading.tsx'
import { Messages } from '../../parts/messages.tsx'
import { useAttempt } from '../../parts/use-attempt.tsx'
import { toSearch } from '../../text/search.ts'
import { filledIn, SuggestedField } from './suggested-field.tsx'

type PromptDefinition = Connected['prompts'][number]

const shownMax = 200

export function PromptsView({ server, prompts }: Pick<Connected, 'prompts'> & { server: ServerView }) {
  const [search, setSearch] = useState('')
  if (prompts.length === 0) return <Empty title="This server offers no prompts" />
  const isFound = toSearch(search)
  const found = prompts.filter(({ name, description }) => isFound(name, description))
  return (
    <>
      <SearchField label="Search prompts" value={search} onInput={setSearch} />
      {found.length === 0 && <Empty title={`No prompt matches “${search}”`} />}
      <ul class="rows" aria-label="Prompts">
        {found.slice(0, shownMax).map((prompt) => (
          <Prompt key={prompt.name} server={server} prompt={prompt} />
        ))}
      </ul>
      {found.length > shownMax && <p class="note">{found.length - shownMax} more. Search to find them.</p>}
    </>
  )
}

function Prompt({
  server,
  prompt: { name, description, arguments: args },
}: {
  server: ServerView
  prompt: PromptDefinition
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [result, setResult] = useState<McpPromptResult>()
  const { attempt, send, failure, isBusy, dialog } = useAttempt()
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set())
  const get = async () => {
    const empty = new Set(
      args.flatMap(({ name, required }) => (required && (values[name] ?? '') === '' ? [name] : [])),
    )
    setMissing(empty)
    if (empty.size > 0) return
    setResult(undefined)
    const body = { name, arguments: filledIn(values) }
    setResult(await attempt(() => send('Run and get', serverApi(server.id, 'prompt'), body)))
  }
  return (
    <li class="row">
      <Form aria-label={name} onSubmit={() => void get()}>
        <div class="row-main">
          <code>{name}</code>
          <span class="muted">{description}</span>
          <span class="spacer" />
          <BusyButton isBusy={isBusy} type="submit" class="button-small">
            Get prompt
          </BusyButton>
        </div>
        {args.map((argument) => (
          <SuggestedField
            key={argument.name}
            server={server.id}
            of={{ prompt: name }}
            name={argument.name}
            description={argument.description}
            isRequired={argument.required}
            errors={missing.has(argument.name) ? ['Required.'] : []}
            values={values}
            onChange={setValues}
          />
        ))}
      </Form>
      {result !== undefined && (
        <Messages
          label={`Messages of ${name}`}
          isMarkdown
          messages={result.messages.map(({ role, content }) => ({ role, content: [content] }))}
        />
      )}
      <Failure failure={failure} onRetry={() => void get()} />
      {dialog}
    </li>
  )
}
