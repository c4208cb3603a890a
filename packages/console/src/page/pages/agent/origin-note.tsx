import type { AgentView } from '../../../api.ts'

/** Shown only where an environment variable overrides the file. */
export function OriginNote({ origins, path }: { readonly origins: AgentView['origins']; readonly path: string }) {
  if (origins[path] !== 'environment') return null
  return (
    <p class="note note-warn">
      An environment variable sets this and overrides <code>{path}</code> in the file.
    </p>
  )
}
