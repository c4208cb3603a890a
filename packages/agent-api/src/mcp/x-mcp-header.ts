import { headerName } from '../base/header.ts'
import type { JsonSchema } from '../messages/tool.ts'

const annotation = 'x-mcp-header'
const allowedTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

export function usesHeaderArguments(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes(`"${annotation}"`)
}

/**
 * Returns the problem of a schema that sends arguments as HTTP headers, if any. Revision 2026-07-28 requires clients to leave out such a
 * tool. A header must belong to a plain argument and have a unique name.
 */
export function headerArgumentFault(schema: JsonSchema): string | undefined {
  const names = new Set<string>()

  function visit(node: unknown, isArgument: boolean): string | undefined {
    if (typeof node !== 'object' || node === null) return undefined
    if (!Array.isArray(node) && annotation in node) {
      const { [annotation]: name, type } = node as Record<string, unknown>
      if (!isArgument) return `${annotation} is not on an argument`
      if (typeof name !== 'string' || !headerName.test(name))
        return `${annotation} is not the name of a header`
      if (!allowedTypes.has(type))
        return `${annotation} is on an argument that is not a string, integer or boolean`
      if (names.has(name.toLowerCase())) return `two arguments have the same ${annotation}`
      names.add(name.toLowerCase())
    }
    for (const [key, child] of Object.entries(node)) {
      const fault = isArgument && key === 'properties' ? visitArguments(child) : visit(child, false)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  function visitArguments(properties: unknown): string | undefined {
    if (typeof properties !== 'object' || properties === null) return undefined
    for (const child of Object.values(properties)) {
      const fault = visit(child, true)
      if (fault !== undefined) return fault
    }
    return undefined
  }

  if (annotation in schema) return `${annotation} is not on an argument`
  return visit(schema, true)
}
