import { useState } from 'preact/hooks'
import type { Capabilities, ServerView, ResourceContent } from '../../../api.ts'
import { type ApiFailure, request, toFailure } from '../../api/client.ts'
import { Declined, useCommandConfirm } from '../../parts/command-confirm.tsx'
import { ContentView } from '../../parts/content-view.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { OpenApp } from '../../parts/open-app.tsx'
import { isApp } from '../../text/app-resource.ts'

/** The resources of the server. */
export function ResourcesView({ server, resources }: Pick<Capabilities, 'resources'> & { readonly server: ServerView }) {
  if (resources.length === 0) return <Empty title="This server offers no resources" />
  return (
    <ul class="rows" aria-label="Resources">
      {resources.map((resource) => (
        <Resource key={resource.uri} server={server} resource={resource} />
      ))}
    </ul>
  )
}

function Resource({ server, resource }: { server: ServerView; resource: Capabilities['resources'][number] }) {
  const [read, setRead] = useState<ResourceContent | ApiFailure | undefined>()
  const { withConfirmation, dialog } = useCommandConfirm()
  const load = async () => {
    const path = `/api/servers/${encodeURIComponent(server.id)}/read`
    try {
      // The server may have been disconnected, and then needs confirmation.
      setRead(
        await withConfirmation('Run and read', (confirmed) =>
          request<ResourceContent>(path, { method: 'POST', body: { uri: resource.uri, ...confirmed } }),
        ),
      )
    } catch (error) {
      if (!(error instanceof Declined)) setRead(toFailure(error))
    }
  }
  return (
    <li class="row">
      <div class="row-main">
        <strong>{resource.name}</strong>
        <span class="muted">{resource.description}</span>
        <span class="spacer" />
        {isApp(resource) && <OpenApp server={server.id} uri={resource.uri} name={resource.name} />}
        <button type="button" class="button-small" aria-label={`Read ${resource.name}`} onClick={() => void load()}>
          Read
        </button>
      </div>
      <p class="mono wrap muted">{resource.uri}</p>
      {read !== undefined &&
        ('content' in read ? <ContentView content={read.content} /> : <Failure failure={read} onRetry={() => void load()} />)}
      {dialog}
    </li>
  )
}
