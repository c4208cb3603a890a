import type { AgentView } from '../../../api.ts'

/** Said only where the file is not the one that decides. */
export function OriginNote({ origins, path }: { readonly origins: AgentView['origins']; readonly path: string }) {
  if (origins[path] !== 'environment') return null
  return <p class="note note-warn">The environment sets this and wins over the file ({path}).</p>
}
