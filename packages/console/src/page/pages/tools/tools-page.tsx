import { useEffect, useState } from 'preact/hooks'
import type { ToolCatalog } from '../../../api.ts'
import { useLiveReload } from '../../api/live.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { navigate } from '../../route.ts'
import { counted } from '../../text/quantities.ts'
import { namedServerPath, serverPath, serverTabs } from '../server/server-path.ts'
import { ToolList } from '../server/tool-list.tsx'
import { findTools } from './find-tools.ts'

/** `/tools`: the tools of all servers that this console is connected to. With `server=NAME`, an old address of that server's page. */
export function ToolsPage({ query }: { readonly query: URLSearchParams }) {
  const server = query.get('server')
  useEffect(() => {
    if (server === null) return
    const tab = serverTabs.find((name) => name === query.get('view'))
    navigate(namedServerPath(server, tab, { tool: query.get('tool'), call: query.get('call') }), { replace: true })
  }, [server])
  return server === null ? <AllTools /> : null
}

const shownMax = 200

function AllTools() {
  const loaded = useLoaded<ToolCatalog>('/api/tools')
  useLiveReload('servers', loaded.reload)
  const [search, setSearch] = useState('')
  return (
    <PageFrame title="Tools" about="Search the tools of all servers that this console is connected to.">
      <Loading of={loaded}>
        {({ servers, others }) => (
          <>
            {servers.length > 0 && <SearchField label="Search tools" value={search} onInput={setSearch} />}
            {servers.length + others.length === 0 && (
              <Empty title="No servers yet">
                <p>
                  <Link to="/servers">Add a server</Link> first.
                </p>
              </Empty>
            )}
            {servers.map((server) => {
              const found = findTools(server.tools, search)
              if (found.length === 0 && search !== '') return null
              return (
                <section key={server.id} class="group" aria-label={`Tools of ${server.name}`}>
                  <h2>
                    <Link to={serverPath(server)}>{server.name}</Link> <span class="count">{counted(found.length, 'tool')}</span>
                  </h2>
                  <ToolList
                    tools={found.slice(0, shownMax)}
                    chosen={undefined}
                    pathOf={({ name }) => serverPath(server, 'tools', { tool: name })}
                  />
                  {found.length > shownMax && <p class="note">{found.length - shownMax} more. Search to find them.</p>}
                </section>
              )
            })}
            {search !== '' && !servers.some(({ tools }) => findTools(tools, search).length > 0) && (
              <Empty title={`No tool matches “${search}”`} />
            )}
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
        )}
      </Loading>
    </PageFrame>
  )
}
