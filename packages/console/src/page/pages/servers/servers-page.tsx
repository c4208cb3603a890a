import { counted } from '@ostler/agent-api/browser'
import { useState } from 'preact/hooks'
import type { LiveServer, AllServers, ServerView } from '../../../api.ts'
import { requestFile } from '../../api/client.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { DownloadButton } from '../../parts/buttons.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, Failure, Loading } from '../../parts/loading.tsx'
import { focusAfterDialog } from '../../parts/move-focus.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { SearchField } from '../../parts/form.tsx'
import { Status } from '../../parts/status.tsx'
import { navigate, serverPath, sessionPath } from '../../route.ts'
import { toSearch } from '../../text/search.ts'
import { AddDialog } from './add-dialog.tsx'
import { ConnectStep } from './connect-step.tsx'
import { toLiveWords, toTrouble, transportNames } from './connection-words.ts'
import { startDraft, toCopy, toDraft } from './draft.ts'
import { type ServerActions, ServerCard } from './server-card.tsx'
import { ConnectionProblem } from './server-details.tsx'
import { ServerForm, type ServerFormProps } from './server-form.tsx'
import { describeTools, SessionToolList } from './session-tools.tsx'
import { useServerChanges } from './use-server-changes.ts'

type Open =
  | ({ readonly is: 'form' } & Pick<ServerFormProps, 'title' | 'draft' | 'server' | 'note'>)
  | { readonly is: 'remove'; readonly server: ServerView }
  | { readonly is: 'add' }
  | { readonly is: 'connect'; readonly server: ServerView }

export function ServersPage() {
  const loaded = useLoaded<AllServers>('/api/servers', 'servers')
  const [open, setOpen] = useState<Open>()
  const { failure, warning, busy, dialog, connect, disconnect, enable, remove } = useServerChanges(
    loaded.reload,
  )
  // A dialog may be gone, and another one open, when the request that it sent is answered.
  const replace = (next: Open | undefined) => setOpen((last) => (last === open ? next : last))
  const close = () => replace(undefined)

  const actions: ServerActions = {
    onConnect: connect,
    onDisconnect: disconnect,
    onEnable: enable,
    onEdit: (server) => setOpen({ is: 'form', title: `Edit ${server.name}`, draft: toDraft(server), server }),
    onClone: (server) => setOpen(toClone(server, loaded.data?.servers ?? [])),
    onRemove: (server) => setOpen({ is: 'remove', server }),
  }

  return (
    <PageFrame
      title="Servers"
      about="Your MCP servers, and whether agents use them."
      actions={
        <>
          <DownloadButton
            label="Export"
            class=""
            name="ostler-servers.json"
            content={() => requestFile('/api/export')}
          />
          <button type="button" class="button-primary" onClick={() => setOpen({ is: 'add' })}>
            Add server
          </button>
        </>
      }
    >
      {failure !== undefined && <Failure about={failure.server} failure={failure.failure} />}
      {warning !== undefined && (
        <p class="note note-warn" role="alert">
          {warning}
        </p>
      )}
      <Loading of={loaded}>
        {(list) => <Lists {...list} actions={actions} busy={busy} onAdd={() => setOpen({ is: 'add' })} />}
      </Loading>
      {open?.is === 'form' && (
        <ServerForm
          {...open}
          onClose={close}
          onSaved={(server) => {
            replace(open.server === undefined ? { is: 'connect', server } : undefined)
            loaded.reload()
          }}
        />
      )}
      {open?.is === 'remove' && (
        <Confirm
          title={`Remove ${open.server.name}?`}
          action="Remove"
          isDangerous
          onClose={close}
          onConfirm={async () => {
            await remove(open.server)
            close()
            focusAfterDialog('h1')
          }}
        >
          <p>This deletes its settings and secrets. The history of its calls stays.</p>
        </Confirm>
      )}
      {open?.is === 'add' && (
        <AddDialog
          onClose={close}
          onForm={(text) => setOpen({ is: 'form', title: 'Add server', draft: startDraft(text) })}
          onAdded={(server) => replace({ is: 'connect', server })}
          onChange={loaded.reload}
        />
      )}
      {open?.is === 'connect' && (
        <ConnectStep
          server={open.server}
          onClose={close}
          onConnected={() => navigate(serverPath(open.server))}
          onEdit={actions.onEdit}
          onRemove={actions.onRemove}
        />
      )}
      {dialog}
    </PageFrame>
  )
}

function toClone(server: ServerView, servers: readonly ServerView[]): Open {
  const draft = toCopy(
    server,
    servers.map(({ name }) => name),
  )
  const secrets = server.secrets.map(({ name }) => name)
  return {
    is: 'form',
    title: 'Add server',
    draft,
    note: secrets.length > 0 ? `Secrets are not copied: ${secrets.join(', ')}.` : undefined,
  }
}

interface ListsProps extends AllServers {
  actions: ServerActions
  busy: ReadonlySet<string>
  onAdd: () => void
}

function Lists({ servers, live, actions, busy, onAdd }: ListsProps) {
  const [search, setSearch] = useState('')
  const isFound = toSearch(search)
  const found = servers.filter(({ name, description, entry: { command, args, url } }) =>
    isFound([name, description, command, args, url].flat().join(' ')),
  )
  const usedOf = (server: ServerView) => live.filter(({ serverId }) => serverId === server.id)
  const group = { usedOf, actions, busy }
  // The state of an agent's own server is on its card.
  const others = live.filter(({ serverId }) => serverId === undefined)
  return (
    <>
      {servers.length > 0 && <SearchField label="Search servers" value={search} onInput={setSearch} />}
      {servers.length === 0 && (
        <Empty title="No servers yet">
          <p>
            Add one by its command or URL, or from another program on this computer. Servers in ostler.yaml
            also appear here.
          </p>
          <button type="button" onClick={onAdd}>
            Add a server
          </button>
        </Empty>
      )}
      {servers.length > 0 && found.length === 0 && <Empty title={`No server matches “${search}”`} />}
      <Group title="Stored" servers={found.filter(({ origin }) => origin === 'stored')} {...group} />
      <Group title="From ostler.yaml" servers={found.filter(({ origin }) => origin === 'file')} {...group} />
      {others.length > 0 && (
        <section class="group">
          <h2>
            Other servers in use <span class="count">{counted(others.length, 'server')}</span>
          </h2>
          <LiveServers servers={others} />
        </section>
      )}
    </>
  )
}

interface GroupProps {
  title: string
  usedOf: (server: ServerView) => readonly LiveServer[]
  servers: readonly ServerView[]
  actions: ServerActions
  busy: ReadonlySet<string>
}

function Group({ title, servers, usedOf, actions, busy }: GroupProps) {
  const troubleOf = (server: ServerView) => toTrouble(server.status, usedOf(server))
  const byTrouble = (one: ServerView, other: ServerView) => troubleOf(other) - troubleOf(one)
  if (servers.length === 0) return null
  return (
    <section class="group">
      <h2>
        {title} <span class="count">{counted(servers.length, 'server')}</span>
      </h2>
      <div class="cards">
        {servers.toSorted(byTrouble).map((server) => (
          <ServerCard
            key={server.id}
            server={server}
            used={usedOf(server)}
            actions={actions}
            isBusy={busy.has(server.id)}
          />
        ))}
      </div>
    </section>
  )
}

function LiveServers({ servers }: { servers: readonly LiveServer[] }) {
  return (
    <ul class="rows" aria-label="Servers in use now">
      {servers.map((server) => {
        const { tone, word, ...problem } = toLiveWords(server)
        return (
          <li key={`${server.sessionId ?? ''}/${server.name}/${server.owner}`} class="row">
            <div class="row-main">
              <strong>{server.name}</strong>
              <span class="badge">{transportNames[server.transport]}</span>
              <Status tone={tone}>{word}</Status>
            </div>
            <p class="mono muted">{server.origin}</p>
            <ConnectionProblem {...problem} />
            <p class="muted">
              {server.owner === 'agent' ? `Used by the agent ${server.agent}` : 'Added by the editor'}
              {server.sessionId !== null && (
                <>
                  {', in '}
                  <Link to={sessionPath(server.sessionId)}>{server.sessionTitle ?? 'Untitled session'}</Link>
                </>
              )}
              {` · ${describeTools(server)}, ${counted(server.prompts, 'prompt')}`}
            </p>
            {server.owner === 'session' && server.sessionId !== null && server.tools > 0 && (
              <SessionToolList server={server} sessionId={server.sessionId} />
            )}
          </li>
        )
      })}
    </ul>
  )
}
