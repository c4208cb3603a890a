import type { AgentView } from '../../../api.ts'

/** Shown only where an environment variable overrides the file. */
export function OriginNotes({ origins, paths }: { readonly origins: AgentView['origins']; readonly paths: readonly string[] }) {
  const overridden = paths.filter((path) => origins[path] === 'environment')
  return overridden.map((path) => (
    <p key={path} class="note note-warn">
      An environment variable sets this and overrides <code>{path}</code> in the file.
    </p>
  ))
}
