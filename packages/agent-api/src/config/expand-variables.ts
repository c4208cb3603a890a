/** A name, and a default for an unset or empty variable. */
const reference = /\$\$|\$\{(?:env:)?([A-Za-z_]\w*)(?::-((?:[^{}]|\{[^{}]*\})*))?\}/g

export interface Expansion {
  readonly text: string
  readonly unset: readonly string[]
}

/** Expands `${VAR}`, also as `${env:VAR}`, and `${VAR:-default}`; `$$` is a dollar sign. Reports variables that are unset and have no default. */
export function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>): Expansion {
  const unset: string[] = []
  const expanded = text.replace(
    reference,
    (whole, name: string | undefined, fallback: string | undefined) => {
      if (name === undefined) return '$'
      const value = env[name]
      if (value !== undefined && (value !== '' || fallback === undefined)) return value
      if (fallback !== undefined) return fallback
      unset.push(name)
      return whole
    },
  )
  return { text: expanded, unset }
}
