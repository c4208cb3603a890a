import { counted } from '@ostler/agent-api/browser'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ToolCatalog } from '../../../api.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Empty, Loading } from '../../parts/loading.tsx'
import { Link } from '../../parts/link.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { SearchField } from '../../parts/form.tsx'
import { namedServerPath, navigate, serverPath, serverTabs } from '../../route.ts'
import { formatCount } from '../../text/quantities.ts'
import { ToolList } from '../server/tool-list.tsx'
import { findTools } from '../../parts/find-tools.ts'

/** `/tools`: the tools of all servers that this console is connected to. With `server=NAME`, an old address of that server's page. */
export function ToolsPage({ query }: { query: URLSearchParams }) {
  const server = query.get('server')
  useEffect(() => {
    if (server === null) return
    const tab = serverTabs.find((name) => name === query.get('view'))
    navigate(namedServerPath(server, tab, { tool: query.get('tool'), call: query.get('call') }), {
      replace: true,
    })
  }, [server])
  return server === null ? <AllTools /> : null
}

/** In all lists together. Each list shows a few. */
const shownMax = 100
const shownMin = 10

function AllTools() {
  const loaded = useLoaded<ToolCatalog>('/api/tools', 'servers')
  return (
    <PageFrame title="Tools" about="Search the tools of all servers that this console is connected to.">
      <Loading of={loaded}>{(catalog) => <Catalog catalog={catalog} />}</Loading>
    </PageFrame>
  )
}

function Catalog({ catalog: { servers, others } }: { catalog: ToolCatalog }) {
  const [search, setSearch] = useState('')
  const found = useMemo(
    () =>
      servers
        .map((server) => ({ server, tools: findTools(server.tools, search) }))
        .filter(({ tools }) => search === '' || tools.length > 0),
    [servers, search],
  )
  const shown = Math.max(shownMin, Math.floor(shownMax / found.length))
  return (
    <>
      {servers.length > 0 && <SearchField label="Search tools" value={search} onInput={setSearch} />}
      {servers.length + others.length === 0 && (
        <Empty title="No servers yet">
          <p>
            <Link to="/servers">Add a server</Link> first.
          </p>
        </Empty>
      )}
      {found.map(({ server, tools }) => (
        <section key={server.id} class="group" aria-label={`Tools of ${server.name}`}>
          <h2>
            <Link to={serverPath(server)}>{server.name}</Link>{' '}
            <span class="count">{counted(tools.length, 'tool')}</span>
          </h2>
          <ToolList
            tools={tools.slice(0, shown)}
            chosen={undefined}
            pathOf={({ name }) => serverPath(server, 'tools', { tool: name })}
          />
          {tools.length > shown && (
            <p class="note">
              {formatCount(tools.length - shown)} more. Search to find them, or{' '}
              <Link to={serverPath(server)}>show all of {server.name}</Link>.
            </p>
          )}
        </section>
      ))}
      {search !== '' && found.length === 0 && <Empty title={`No tool matches “${search}”`} />}
      {others.length > 0 && (
        <section class="group" aria-label="Not connected">
          <h2>Not connected</h2>
          <p class="muted">Connect a server on its page to see its tools here.</p>
          <ul class="facts">
            {others.map((server) => (
              <li key={server.id}>
                <Link to={serverPath(server)}>{server.name}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
