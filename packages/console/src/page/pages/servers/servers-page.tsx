import { useState } from 'preact/hooks'
import type { Capabilities, ServerView, ServerList } from '../../../api.ts'
import { ApiFailure, request, toFailure } from '../../api/client.ts'
import { useLiveReload } from '../../api/live.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { announce } from '../../parts/announce.tsx'
import { Declined, useCommandConfirm } from '../../parts/command-confirm.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Loading } from '../../parts/loading.tsx'
import { focusAfterDialog } from '../../parts/move-focus.ts'
import { PageFrame } from '../../parts/page-frame.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { counted } from '../../text/quantities.ts'
import { type Draft, emptyDraft, toCopy, toDraft } from './draft.ts'
import { ImportDialog } from './import-dialog.tsx'
import { LiveServers } from './live-servers.tsx'
import { type ServerActions, ServerCard } from './server-card.tsx'
import { ServerForm } from './server-form.tsx'

type Open =
  | { readonly is: 'add'; readonly draft: Draft; readonly note?: string }
  | { readonly is: 'edit' | 'remove'; readonly server: ServerView }
  | { readonly is: 'import' }

export function ServersPage() {
  const loaded = useLoaded<ServerList>('/api/servers')
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<Open | undefined>()
  const [failure, setFailure] = useState<{ readonly server: string; readonly failure: ApiFailure } | undefined>()
  /** A warning about a step of the last change that failed. */
  const [warning, setWarning] = useState<string | undefined>()
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const { withConfirmation, dialog } = useCommandConfirm()
  useLiveReload('servers', loaded.reload)
  const close = () => setOpen(undefined)

  /** Runs a change of one server, and reports its progress and result. */
  const change = async (server: ServerView, done: string, run: () => Promise<unknown>) => {
    setFailure(undefined)
    setWarning(undefined)
    setBusy((last) => new Set([...last, server.id]))
    try {
      await run()
      announce(done)
    } catch (error) {
      if (!(error instanceof Declined) && !wasCancelled(error)) setFailure({ server: server.name, failure: toFailure(error) })
    } finally {
      setBusy((last) => new Set([...last].filter((id) => id !== server.id)))
      loaded.reload()
    }
  }
  const pathOf = (server: ServerView) => `/api/servers/${encodeURIComponent(server.id)}`

  const actions: ServerActions = {
    onConnect: (server) =>
      void change(server, `${server.name} is connected.`, () =>
        withConfirmation('Run and connect', (body) => request<Capabilities>(`${pathOf(server)}/connect`, { method: 'POST', body })),
      ),
    onDisconnect: (server) =>
      void change(server, `${server.name} is disconnected.`, () => request(`${pathOf(server)}/disconnect`, { method: 'POST' })),
    onEnable: (server, enabled) =>
      void change(server, `${server.name} is ${enabled ? 'enabled' : 'disabled'}.`, () =>
        request(pathOf(server), { method: 'PATCH', body: { enabled } }),
      ),
    onEdit: (server) => setOpen({ is: 'edit', server }),
    onClone: (server) => {
      const names = loaded.data?.servers.map(({ name }) => name) ?? []
      const note = server.secrets.length === 0 ? undefined : `Secrets are not copied: ${server.secrets.map(({ name }) => name).join(', ')}.`
      setOpen({ is: 'add', draft: toCopy(server, names), ...(note === undefined ? {} : { note }) })
    },
    onRemove: (server) => setOpen({ is: 'remove', server }),
  }

  const remove = async (server: ServerView) => {
    const { warning } = await request<{ warning?: string }>(pathOf(server), { method: 'DELETE' })
    close()
    loaded.reload()
    announce(`${server.name} is removed.`)
    setWarning(warning)
    focusAfterDialog('h1')
  }

  return (
    <PageFrame
      title="Servers"
      about="The MCP servers this agent can use."
      actions={
        <>
          <a class="button" href="/api/export" download>
            Export
          </a>
          <button type="button" onClick={() => setOpen({ is: 'import' })}>
            Import
          </button>
          <button type="button" class="button-primary" onClick={() => setOpen({ is: 'add', draft: emptyDraft })}>
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
        {({ servers, live }) => {
          const found = servers.filter((server) => matches(server, search))
          return (
            <>
              {servers.length > 0 && <SearchField label="Search servers" value={search} onInput={setSearch} />}
              {servers.length === 0 && (
                <Empty title="No servers yet">
                  <p>Add one by its command or URL, or import servers from another program. Servers in ostler.yaml appear here, too.</p>
                </Empty>
              )}
              {servers.length > 0 && found.length === 0 && <Empty title={`No server matches “${search}”`} />}
              <Group title="Stored" servers={found.filter(({ origin }) => origin === 'stored')} actions={actions} busy={busy} />
              <Group title="From ostler.yaml" servers={found.filter(({ origin }) => origin === 'file')} actions={actions} busy={busy} />
              {live.length > 0 && (
                <section class="group">
                  <h2>
                    In use now <span class="count">{counted(live.length, 'server')}</span>
                  </h2>
                  <LiveServers servers={live} />
                </section>
              )}
            </>
          )
        }}
      </Loading>
      {open?.is === 'add' && (
        <ServerForm
          title="Add server"
          initial={open.draft}
          {...(open.note === undefined ? {} : { note: open.note })}
          onClose={close}
          onSaved={() => {
            close()
            loaded.reload()
          }}
        />
      )}
      {open?.is === 'edit' && (
        <ServerForm
          title={`Edit ${open.server.name}`}
          initial={toDraft(open.server)}
          server={open.server}
          onClose={close}
          onSaved={() => {
            close()
            loaded.reload()
          }}
        />
      )}
      {open?.is === 'remove' && (
        <Confirm title={`Remove ${open.server.name}?`} action="Remove" isDangerous onClose={close} onConfirm={() => remove(open.server)}>
          <p>This deletes its settings and secrets. The history of its calls stays.</p>
        </Confirm>
      )}
      {open?.is === 'import' && <ImportDialog onClose={close} onImported={loaded.reload} />}
      {dialog}
    </PageFrame>
  )
}

/** The connection was cancelled, here or in another window. */
function wasCancelled(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'mcp.cancelled'
}

interface GroupProps {
  readonly title: string
  readonly servers: readonly ServerView[]
  readonly actions: ServerActions
  readonly busy: ReadonlySet<string>
}

function Group({ title, servers, actions, busy }: GroupProps) {
  if (servers.length === 0) return null
  return (
    <section class="group">
      <h2>
        {title} <span class="count">{counted(servers.length, 'server')}</span>
      </h2>
      <div class="cards">
        {servers.map((server) => (
          <ServerCard key={server.id} server={server} actions={actions} isBusy={busy.has(server.id)} />
        ))}
      </div>
    </section>
  )
}

function matches({ name, description = '', entry }: ServerView, search: string): boolean {
  const text = `${name} ${description} ${String(entry['command'] ?? '')} ${String(entry['url'] ?? '')}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
