import type { DiscoveredTool } from '@ostler/agent-api/manage'
import { useState } from 'preact/hooks'
import type { Capabilities, ServerView, ServerList } from '../../../api.ts'
import { useLiveReload } from '../../api/live.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { BusyButton } from '../../parts/busy-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Link } from '../../parts/link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { navigate, toPath } from '../../route.ts'
import { toCommandLine } from '../../text/command-line.ts'
import { counted } from '../../text/quantities.ts'
import { visible } from '../../text/visible.ts'
import { LogView } from './log-view.tsx'
import { PromptsView } from './prompts-view.tsx'
import { ResourcesView } from './resources-view.tsx'
import { ToolDetail } from './tool-detail.tsx'
import { findTools } from './find-tools.ts'
import { ToolList } from './tool-list.tsx'
import { useCapabilities } from './use-capabilities.tsx'

/** `/tools?server=ID&tool=NAME`. `call=ID` fills in the arguments of an earlier call. */
export function ToolsPage({ query }: { readonly query: URLSearchParams }) {
  const loaded = useLoaded<ServerList>('/api/servers')
  useLiveReload('servers', loaded.reload)
  return (
    <PageFrame title="Tools" about="Browse and try the tools each server offers.">
      <Loading of={loaded}>
        {({ servers }) => {
          if (servers.length === 0) {
            return (
              <Empty title="No servers yet">
                <p>
                  <Link to="/servers">Add a server</Link> first.
                </p>
              </Empty>
            )
          }
          const wanted = query.get('server')
          const server = servers.find(({ id }) => id === wanted) ?? servers.find(({ name }) => name === wanted) ?? firstOf(servers)
          return (
            <>
              {wanted !== null && server !== undefined && server.id !== wanted && server.name !== wanted && (
                <p class="note">There is no server “{wanted}” any more.</p>
              )}
              {server !== undefined && <ServerTools key={server.id} server={server} servers={servers} query={query} />}
            </>
          )
        }}
      </Loading>
    </PageFrame>
  )
}

interface ServerToolsProps {
  readonly server: ServerView
  readonly servers: readonly ServerView[]
  readonly query: URLSearchParams
}

function ServerTools({ server, servers, query }: ServerToolsProps) {
  const [search, setSearch] = useState('')
  const { capabilities, failure, isConnecting, connect, dialog } = useCapabilities(server)
  const toolName = query.get('tool')
  return (
    <>
      <div class="toolbar">
        <select
          aria-label="Server"
          value={server.id}
          onChange={(event) => navigate(toPath('/tools', { server: event.currentTarget.value }))}
        >
          {servers.map(({ id, name, tools }) => (
            <option key={id} value={id}>
              {name}
              {tools === undefined ? '' : ` (${tools})`}
            </option>
          ))}
        </select>
        {capabilities !== undefined && (
          <>
            <SearchField label="Search tools" value={search} onInput={setSearch} />
            <BusyButton isBusy={isConnecting} onClick={connect}>
              Refresh
            </BusyButton>
          </>
        )}
      </div>
      {failure !== undefined && <Failure failure={failure} onRetry={connect} />}
      {capabilities === undefined && failure === undefined && (
        <Empty title={isConnecting ? `Connecting to ${server.name}…` : `${server.name} is not connected`}>
          {!isConnecting && (
            <>
              <p>Connect to see its tools.</p>
              <pre class="command">{toCommandLine(server.entry, server.secrets)}</pre>
              <button type="button" class="button-primary" onClick={connect}>
                Connect
              </button>
            </>
          )}
        </Empty>
      )}
      {capabilities !== undefined && (
        <Found
          server={server}
          capabilities={capabilities}
          search={search}
          toolName={toolName}
          callId={query.get('call')}
          view={query.get('view')}
        />
      )}
      {dialog}
    </>
  )
}

interface FoundProps {
  readonly server: ServerView
  readonly capabilities: Capabilities
  readonly search: string
  readonly toolName: string | null
  readonly callId: string | null
  readonly view: string | null
}

const views = ['tools', 'resources', 'prompts', 'log', 'about'] as const

function Found({ view, ...found }: FoundProps) {
  const { server, capabilities } = found
  const { tools, resources, prompts } = capabilities
  const words = {
    tools: counted(tools.length, 'tool'),
    resources: counted(resources.length, 'resource'),
    prompts: counted(prompts.length, 'prompt'),
    log: 'Log',
    about: 'About',
  }
  const current = views.find((name) => name === view) ?? 'tools'
  return (
    <>
      <nav class="tabs" aria-label={`Parts of ${server.name}`}>
        {views.map((name) => (
          <Link key={name} to={toPath('/tools', { server: server.id, ...(name !== 'tools' && { view: name }) })} current={name === current}>
            {words[name]}
          </Link>
        ))}
      </nav>
      {current === 'tools' && <FoundTools {...found} />}
      {current === 'resources' && <ResourcesView server={server} resources={resources} />}
      {current === 'prompts' && <PromptsView server={server} prompts={prompts} />}
      {current === 'log' && <LogView server={server} />}
      {current === 'about' && <AboutServer capabilities={capabilities} />}
    </>
  )
}

function FoundTools({ server, capabilities: { tools }, search, toolName, callId }: Omit<FoundProps, 'view'>) {
  const found = findTools(tools, search)
  const tool = tools.find(({ name }) => name === toolName)
  const pathOf = ({ name }: DiscoveredTool) => toPath('/tools', { server: server.id, tool: name })
  return (
    <div class={`split ${tool === undefined ? '' : 'has-detail'}`}>
      <section class="split-list" aria-label="Tools">
        <p class="count" role="status">
          {search === '' ? counted(tools.length, 'tool') : `${found.length} of ${counted(tools.length, 'tool')}`}
        </p>
        {found.length === 0 ? (
          <Empty title={tools.length === 0 ? 'This server offers no tools' : `No tool matches “${search}”`} />
        ) : (
          <ToolList tools={found} chosen={tool} pathOf={pathOf} />
        )}
      </section>
      <section class="split-detail" aria-label="Tool">
        {toolName !== null && tool === undefined && <p class="note">This server has no tool “{toolName}”.</p>}
        {tool === undefined ? (
          <Empty title="Select a tool">
            <p>Select a tool to see its parameters and try it.</p>
          </Empty>
        ) : (
          <ToolDetail key={`${tool.name}/${callId ?? ''}`} server={server} tool={tool} callId={callId} />
        )}
      </section>
    </div>
  )
}

/** The server's own description. */
function AboutServer({ capabilities: { server, warnings } }: Pick<FoundProps, 'capabilities'>) {
  return (
    <section aria-label="About">
      <p>
        <strong>{visible(server.name)}</strong> {visible(server.version)} · MCP {visible(server.protocolVersion)}
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="server-warning">
          {warning}
        </p>
      ))}
      <h3>Instructions for the model</h3>
      {server.instructions === undefined ? (
        <p class="muted">None.</p>
      ) : (
        <pre class="command" tabIndex={0} aria-label="Instructions">
          {visible(server.instructions)}
        </pre>
      )}
    </section>
  )
}

function firstOf(servers: readonly ServerView[]): ServerView | undefined {
  return servers.find(({ status }) => status.state === 'connected') ?? servers[0]
}
