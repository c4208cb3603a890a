import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Connected, LiveServer, AllServers, ServerView } from '../../../api.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Empty, Failure, Loading } from '../../parts/loading.tsx'
import { Link } from '../../parts/link.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { findServer, serverPath, type ServerTab, serverTabs, titleOf } from '../../route.ts'
import { toCommandLine } from '../../text/command-line.ts'
import { AboutServer } from './about-server.tsx'
import { LogView } from './log-view.tsx'
import { PromptsView } from './prompts-view.tsx'
import { ProtocolView } from './protocol-view.tsx'
import { ResourcesView } from './resources-view.tsx'
import { ServerCalls } from './server-calls.tsx'
import { ServerHead } from './server-head.tsx'
import { ServerQuestions } from './server-questions.tsx'
import { ServerSettings } from './server-settings.tsx'
import { ToolsView } from './tools-view.tsx'
import { useCapabilities } from './use-capabilities.tsx'
import { useWatch } from './use-watch.ts'

interface ServerPageProps {
  wanted: string
  tab: string | undefined
  query: URLSearchParams
}

/** `/servers/NAME/TAB`: everything about one server. */
export function ServerPage({ wanted, tab, query }: ServerPageProps) {
  const loaded = useLoaded<AllServers>('/api/servers', 'servers')
  const server = loaded.data && findServer(loaded.data.servers, wanted)
  const current = serverTabs.find((name) => name === (tab ?? 'tools'))
  return (
    <PageFrame
      title={wanted}
      shownTitle={server?.name}
      about={server?.description}
      above={
        <p class="back-link">
          <Link to="/servers">All servers</Link>
        </p>
      }
    >
      <Loading of={loaded}>
        {({ live }) =>
          server === undefined || current === undefined ? (
            <Empty title={server === undefined ? `There is no server “${wanted}”` : 'Page not found'}>
              <p>
                <Link to="/servers">Go to Servers</Link>
              </p>
            </Empty>
          ) : (
            <OneServer
              key={server.id}
              server={server}
              used={live.filter(({ serverId }) => serverId === server.id)}
              tab={current}
              query={query}
              reload={loaded.reload}
            />
          )
        }
      </Loading>
    </PageFrame>
  )
}

interface OneServerProps {
  server: ServerView
  used: readonly LiveServer[]
  tab: ServerTab
  query: URLSearchParams
  reload: () => void
}

function OneServer({ server, used, tab, query, reload }: OneServerProps) {
  const connection = useCapabilities(server)
  const { capabilities, failure, connect, dialog } = connection
  const watch = useWatch(server.id)
  return (
    <>
      <ServerHead server={server} used={used} connection={connection} reload={reload} />
      <Failure failure={failure} onRetry={connect} />
      <ServerQuestions server={server} questions={watch.questions} />
      <Tabs server={server} capabilities={capabilities} current={tab} />
      <div class="column tab-panel">
        {(tab === 'tools' || tab === 'resources' || tab === 'prompts') && (
          <Needed by={connection} server={server}>
            {(found) =>
              tab === 'tools' ? (
                <ToolsView server={server} tools={found.tools} query={query} />
              ) : tab === 'prompts' ? (
                <PromptsView server={server} prompts={found.prompts} />
              ) : (
                <ResourcesView server={server} capabilities={found} watch={watch} uri={query.get('uri')} />
              )
            }
          </Needed>
        )}
        {tab === 'log' && (
          <LogView server={server} canSetLevel={capabilities?.declared.includes('logging') === true} />
        )}
        {tab === 'protocol' && <ProtocolView server={server} changes={watch.protocol} />}
        {tab === 'calls' && <ServerCalls server={server} query={query} />}
        {tab === 'settings' && <ServerSettings server={server} onSaved={reload} />}
        {tab === 'about' && <AboutServer server={server} capabilities={capabilities} />}
      </div>
      {dialog}
    </>
  )
}

function Tabs({
  server,
  capabilities,
  current,
}: {
  server: ServerView
  capabilities: Connected | undefined
  current: ServerTab
}) {
  const counts: Partial<Record<ServerTab, number | undefined>> = {
    tools: capabilities?.tools.length ?? server.tools,
    resources: capabilities && capabilities.resources.length + capabilities.templates.length,
    prompts: capabilities?.prompts.length,
  }
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a small screen, the tabs scroll.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current, capabilities])
  return (
    <nav ref={nav} class="tabs" aria-label={`Parts of ${server.name}`}>
      {serverTabs.map((tab) => (
        <Link key={tab} to={serverPath(server, tab)} current={tab === current}>
          {titleOf(tab)}
          {counts[tab] !== undefined && <span class="tab-count"> {counts[tab]}</span>}
        </Link>
      ))}
    </nav>
  )
}

interface NeededProps {
  by: ReturnType<typeof useCapabilities>
  server: ServerView
  children: (capabilities: Connected) => ComponentChildren
}

/** A part that is known only when the console is connected. */
function Needed({ by: { capabilities, failure, isConnecting, connect }, server, children }: NeededProps) {
  if (capabilities !== undefined) return <>{children(capabilities)}</>
  if (failure !== undefined) return null
  if (isConnecting) return <Empty title={`Connecting to ${server.name}…`} />
  return (
    <Empty title={`This console is not connected to ${server.name}`}>
      <p>Connect to see this. Your agents are not affected.</p>
      <pre class="command">{toCommandLine(server.entry, server.secrets)}</pre>
      <button type="button" class="button-primary" onClick={connect}>
        Connect
      </button>
    </Empty>
  )
}
