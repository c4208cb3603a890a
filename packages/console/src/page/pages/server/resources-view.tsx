import { useEffect, useRef, useState } from 'preact/hooks'
import type { Connected, ResourceContent, ServerView } from '../../../api.ts'
import { serverApi } from '../../api/client.ts'
import { announce } from '../../parts/announce.tsx'
import { ContentView } from '../../parts/content-view.tsx'
import { Empty, Failure } from '../../parts/loading.tsx'
import { TextField, SearchField } from '../../parts/form.tsx'
import { OpenApp } from '../../parts/link.tsx'
import { useAttempt } from '../../parts/use-attempt.tsx'
import { isApp } from '../../text/app-resource.ts'
import { toSearch } from '../../text/search.ts'
import { formatTime } from '../../text/time.ts'
import { expandTemplate, templateVariables } from '../../text/uri-template.ts'
import { SuggestedField } from './suggested-field.tsx'
import type { Watch } from './use-watch.ts'

type Resource = Connected['resources'][number]

type ResourceWatch = Pick<Watch, 'subscriptions' | 'resources'>

interface ResourcesViewProps {
  server: ServerView
  capabilities: Connected
  watch: ResourceWatch
  uri: string | null
}

/** The others can be found with the search. */
const shownMax = 200

export function ResourcesView({ server, capabilities, watch, uri }: ResourcesViewProps) {
  const { resources, templates, declared } = capabilities
  const [search, setSearch] = useState('')
  const canSubscribe = declared.includes('resources.subscribe')
  const props = { server, watch, canSubscribe }
  const hasWords = toSearch(search)
  const isFound = ({ name, uri, description }: Resource) => hasWords(name, uri, description)
  const found = resources.filter(isFound)
  if (resources.length + templates.length === 0 && !declared.includes('resources'))
    return <Empty title="This server offers no resources" />
  return (
    <>
      <ByUri key={uri ?? ''} given={uri ?? ''} {...props} />
      {templates.length > 0 && (
        <section class="group" aria-label="Resource templates">
          <h2>Templates</h2>
          <ul class="rows" aria-label="Templates">
            {templates
              .filter(isFound)
              .slice(0, shownMax)
              .map((template) => (
                <Template key={template.uri} template={template} {...props} />
              ))}
          </ul>
        </section>
      )}
      {resources.length > 0 && <SearchField label="Search resources" value={search} onInput={setSearch} />}
      {resources.length > 0 && found.length === 0 && <Empty title={`No resource matches “${search}”`} />}
      {found.length > 0 && (
        <ul class="rows" aria-label="Resources">
          {found.slice(0, shownMax).map((resource) => (
            <li key={resource.uri} class="row">
              <About resource={resource} server={server} />
              <Content name={resource.name} uri={resource.uri} {...props} />
            </li>
          ))}
        </ul>
      )}
      {found.length > shownMax && <p class="note">{found.length - shownMax} more. Search to find them.</p>}
    </>
  )
}

function About({
  resource: { name, description, uri, mimeType },
  server,
}: {
  resource: Resource
  server: ServerView
}) {
  return (
    <>
      <div class="row-main">
        <strong>{name}</strong>
        <span class="muted">{description}</span>
        {isApp({ uri, mimeType }) && <OpenApp server={server.id} uri={uri} name={name} />}
      </div>
      <p class="mono muted">{uri}</p>
    </>
  )
}

interface ReadProps {
  server: ServerView
  watch: ResourceWatch
  canSubscribe: boolean
}

function ByUri({ given, ...props }: ReadProps & { given: string }) {
  const [uri, setUri] = useState(given)
  return (
    <section class="by-uri form" aria-label="Read by URI">
      <TextField label="URI" isMono value={uri} placeholder="note://today" onInput={setUri} />
      {uri.trim() !== '' && (
        <Content
          key={uri}
          name={uri}
          uri={uri.trim()}
          isReadAtOnce={given !== '' && uri === given}
          {...props}
        />
      )}
    </section>
  )
}

function Template({ template, ...props }: ReadProps & { template: Resource }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const variables = templateVariables(template.uri)
  const uri = expandTemplate(template.uri, values)
  const { [variables[0] ?? '']: first } = values
  return (
    <li class="row">
      <About resource={template} server={props.server} />
      <div class="form template" role="group" aria-label={`Fill in ${template.name}`}>
        {variables.map((name) => (
          <SuggestedField
            key={name}
            server={props.server.id}
            of={{ template: template.uri }}
            name={name}
            isRequired={false}
            values={values}
            onChange={setValues}
          />
        ))}
        {first !== undefined && first !== '' && <p class="mono">{uri}</p>}
        <Content key={uri} name={template.name} uri={uri} {...props} />
      </div>
    </li>
  )
}

function Content({ server, watch, canSubscribe, name, uri, isReadAtOnce = false }: ReadProps & ContentProps) {
  const [read, setRead] = useState<ResourceContent>()
  const isFollowed = watch.subscriptions.has(uri)
  const [updatedAt, setUpdatedAt] = useState<string>()
  const { attempt, send, failure, dialog } = useAttempt()

  const load = async () => {
    // The server may have been disconnected, and then needs confirmation.
    const path = serverApi(server.id, 'read')
    const content = await attempt(() => send<ResourceContent>('Run and read', path, { uri }))
    if (content !== undefined) setRead(content)
  }
  const follow = async (on: boolean) => {
    const path = serverApi(server.id, 'subscribe')
    const done = await attempt(() => send<object>('Run and subscribe', path, { uri, on }))
    if (done === undefined) return
    if (on) await load()
    announce(on ? 'Subscribed.' : 'Unsubscribed.')
  }

  useEffect(() => {
    if (isReadAtOnce) void load()
  }, [])
  const change = watch.resources.get(uri) ?? 0
  const shown = useRef(change)
  useEffect(() => {
    if (change === shown.current || !isFollowed) return
    shown.current = change
    setUpdatedAt(new Date().toISOString())
    void load()
  }, [change])
  return (
    <div class="column resource-content">
      <div class="actions">
        <button type="button" class="button-small" aria-label={`Read ${name}`} onClick={() => void load()}>
          Read
        </button>
        {canSubscribe && (
          <button
            type="button"
            class="button-small"
            aria-pressed={isFollowed}
            aria-label={`Subscribe to ${name}`}
            onClick={() => void follow(!isFollowed)}
          >
            Subscribe
          </button>
        )}
        {updatedAt !== undefined && (
          <span class="muted" role="status">
            Updated {formatTime(updatedAt)}
          </span>
        )}
      </div>
      {failure === undefined && read !== undefined && <ContentView content={read.content} />}
      <Failure failure={failure} onRetry={() => void load()} />
      {dialog}
    </div>
  )
}

interface ContentProps {
  name: string
  uri: string
  isReadAtOnce?: boolean
}
