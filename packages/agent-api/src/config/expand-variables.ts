import type { ConfigPath } from './config-path.ts'
import type { Environment } from './environment-overrides.ts'

/** A name, and a default for an unset or empty variable. */
const reference = /\$\$|\$\{(?:env:)?([A-Za-z_]\w*)(?::-((?:[^{}]|\{[^{}]*\})*))?\}/g

interface Expansion {
  readonly text: string
  readonly unset: readonly string[]
}

/** Expands `${VAR}`, also as `${env:VAR}`, and `${VAR:-default}`; `$$` is a dollar sign. `unset` are variables without a value and a default. */
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

interface ExpandedData {
  readonly data: unknown
  readonly unset: readonly UnsetVariable[]
}

export interface UnsetVariable {
  readonly path: ConfigPath
  readonly name: string
}

export function expandData(data: unknown, env: Environment): ExpandedData {
  const unset: UnsetVariable[] = []
  const expand = (value: unknown, path: ConfigPath): unknown => {
    if (typeof value === 'string') {
      const expanded = expandVariables(value, env)
      unset.push(...expanded.unset.map((name) => ({ path, name })))
      return expanded.text
    }
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...path, index]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expand(item, [...path, key])]))
  }
  return { data: expand(data, []), unset }
}

export function describeUnset({ path, name }: UnsetVariable): { path: ConfigPath; message: string } {
  return { path, message: `the variable ${name} is not set; \${${name}:-default} gives it a value` }
}
