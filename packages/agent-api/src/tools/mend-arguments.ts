import { isRecord } from '../base/is-record.ts'
import { redactedMark } from '../base/clean-text.ts'
import type { JsonSchema, ToolArguments } from '../messages/tool.ts'

interface MendedArguments {
  readonly args: ToolArguments
  readonly notes: readonly string[]
}

const shownDefaultCharsMax = 200

/**
 * Most servers would accept these mistakes of models: a required argument with a default is filled in, and a null for an optional one is
 * left out.
 */
export function mendArguments(schema: JsonSchema, args: ToolArguments): MendedArguments {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : []
  const notes: string[] = []
  const kept = Object.entries(args).filter(([name, value]) => {
    const isDropped = value === null && !required.includes(name) && Object.hasOwn(properties, name)
    if (isDropped) notes.push(`${name} was null, so it was left out`)
    return !isDropped
  })
  const filled = required.flatMap((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (Object.hasOwn(args, name) || !isRecord(property) || property['default'] === undefined) return []
    const shown = JSON.stringify(property['default'])
    // A redacted default is no longer the server's default.
    if (shown.includes(redactedMark)) return []
    notes.push(
      `${name} was missing, so its default ${shown.length > shownDefaultCharsMax ? 'value' : shown} was used`,
    )
    return [[name, property['default']] as const]
  })
  return { args: Object.fromEntries([...kept, ...filled]), notes }
}
