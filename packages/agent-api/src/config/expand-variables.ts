/** What stands in `${…}`: a name, and a value for when the variable is unset or empty. */
const reference = /\$\$|\$\{([A-Za-z_]\w*)(?::-((?:[^{}]|\{[^{}]*\})*))?\}/g

export interface Expansion {
  readonly text: string
  readonly unset: readonly string[]
}

/** `${VAR}` and `${VAR:-default}`; `$$` is a dollar sign. A variable that is unset and has no default is reported, not guessed. */
export function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>): Expansion {
  const unset: string[] = []
  const expanded = text.replace(reference, (whole, name: string | undefined, fallback: string | undefined) => {
    if (name === undefined) return '$'
    const value = env[name]
    if (value !== undefined && (value !== '' || fallback === undefined)) return value
    if (fallback !== undefined) return fallback
    unset.push(name)
    return whole
  })
  return { text: expanded, unset }
}
