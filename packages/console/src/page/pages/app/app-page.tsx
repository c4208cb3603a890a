import { useEffect, useMemo, useState } from 'preact/hooks'
import type { About, StoredCall, ResourceContent, AllServers, ServerView } from '../../../api.ts'
import { type ApiFailure, serverApi, toFailure, callApi } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { AppFrame, ConnectionProbe } from '../../parts/app-frame.tsx'
import { useCommandConfirm } from '../../parts/use-attempt.tsx'
import { Declined } from '../../parts/use-task.ts'
import { Empty, Failure, Loading } from '../../parts/loading.tsx'
import { Link } from '../../parts/link.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { toPath } from '../../route.ts'
import { type AppSource, findApp, isAppUri } from '../../text/app-resource.ts'

/** `/app?server=ID&uri=ui://…` shows an app of a server. `call=ID` also gives it the arguments and the result of that call. */
export function AppPage({ query }: { query: URLSearchParams }) {
  const [wanted, uri, callId] = [query.get('server'), query.get('uri') ?? '', query.get('call')]
  const servers = useLoaded<AllServers>('/api/servers')
  const call = useLoaded<StoredCall>(callId === null ? undefined : callApi(callId))
  const about = useLoaded<About>('/api/about')
  return (
    <PageFrame
      title="App"
      about="A page from a server. It runs in a sandbox, without access to the network, to files, or to this console."
    >
      {callId !== null && (
        <p class="back">
          <Link to={toPath('/calls', { id: callId })}>The call</Link>
        </p>
      )}
      <Loading of={call}>{() => null}</Loading>
      <Loading of={servers}>
        {({ servers: all }) => {
          const server = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted)
          const own = call.data === undefined ? undefined : findApp(call.data.result?.content ?? [], uri)
          if (!isAppUri(uri)) return <Empty title="This is not the address of an app" />
          if ((callId !== null && call.data === undefined) || about.data === undefined) return null
          if (own !== undefined)
            return <ShownApp source={own} version={about.data.version} call={call.data} />
          if (server === undefined) return <Empty title="This console does not have the server of this app" />
          return <ReadApp server={server} uri={uri} version={about.data.version} call={call.data} />
        }}
      </Loading>
    </PageFrame>
  )
}

interface ShownProps {
  version: string
  call: StoredCall | undefined
}

function ReadApp({ server, uri, ...shown }: ShownProps & { server: ServerView; uri: string }) {
  const [source, setSource] = useState<AppSource>()
  const [failure, setFailure] = useState<ApiFailure>()
  const { send, dialog } = useCommandConfirm()
  const read = async () => {
    setFailure(undefined)
    const path = serverApi(server.id, 'read')
    try {
      const { content } = await send<ResourceContent>('Run and open', path, { uri })
      setSource(findApp(content, uri) ?? { problem: 'The server has no app at this address.' })
    } catch (error) {
      setSource(error instanceof Declined ? { problem: 'The server is not connected.' } : undefined)
      if (!(error instanceof Declined)) setFailure(toFailure(error))
    }
  }
  useEffect(() => void read(), [])
  return (
    <>
      <p class="muted">
        {server.name} · <span class="mono">{uri}</span>
      </p>
      <Failure failure={failure} onRetry={() => void read()} />
      {source !== undefined && <ShownApp source={source} {...shown} />}
      {dialog}
    </>
  )
}

function ShownApp({ source, version, call }: ShownProps & { source: AppSource }) {
  const host = useMemo(() => ({ version, theme: shownTheme(), call }), [version, call])
  const [isAllowed, setAllowed] = useState<boolean>()
  if ('problem' in source) return <Empty title={source.problem} />
  if (isAllowed === undefined) return <ConnectionProbe onAnswer={setAllowed} />
  if (isAllowed) return <AppFrame html={source.html} host={host} />
  return (
    <div class="note note-warn">
      <p>
        This browser cannot keep an app from opening connections. The app could tell its author that you
        opened it, and what it is shown. Current versions of Chromium can.
      </p>
      <button type="button" onClick={() => setAllowed(true)}>
        Open it anyway
      </button>
    </div>
  )
}

function shownTheme(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset['theme']
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
