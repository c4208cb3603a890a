import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { AgentView } from '../../../api.ts'

interface PanelProps {
  title: string
  overridden: AgentView['overridden']
  /** The settings in the panel. Those that an environment variable overrides are noted. */
  paths: readonly string[]
  children: ComponentChildren
}

export function Panel({ title, overridden, paths, children }: PanelProps) {
  const id = useId()
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      <OverriddenNotes overridden={overridden} paths={paths} />
    </section>
  )
}

export function OverriddenNotes({ overridden, paths }: Pick<PanelProps, 'overridden' | 'paths'>) {
  const noted = paths.filter((path) => overridden.some((set) => `${path}.`.startsWith(`${set}.`)))
  return noted.map((path) => (
    <p key={path} class="note note-warn">
      An environment variable sets this and overrides <code>{path}</code> in the file.
    </p>
  ))
}
