import { z } from 'zod'
import { agentFileSchema } from './agent-file-schema.ts'
import type { ConfigPath } from './config-document.ts'
import type { SchemaView } from './environment-overrides.ts'

interface JsonSchemaNode {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchemaNode>>
  readonly additionalProperties?: JsonSchemaNode | boolean
  readonly items?: JsonSchemaNode
  readonly anyOf?: readonly JsonSchemaNode[]
  readonly oneOf?: readonly JsonSchemaNode[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

/** The schema of the agent file for editors. */
export function toAgentFileJsonSchema(): Record<string, unknown> {
  return { title: 'Ostler agent file', ...z.toJSONSchema(agentFileSchema, { io: 'input', unrepresentable: 'any', override: suitEditors }) }
}

/** Editors look at the text as it stands, so `${VAR}` must do for an address; and every default is a value one may write oneself. */
function suitEditors({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.format
  const { def } = zodSchema._zod
  if (def.type === 'default') jsonSchema.default = def.defaultValue
}

/** Looks at the same schema from a place inside it; where it branches, all branches count. */
export function createSchemaView(): SchemaView {
  const root = toAgentFileJsonSchema() as JsonSchemaNode
  const nodesAt = (path: ConfigPath) =>
    path.reduce<JsonSchemaNode[]>((nodes, key) => nodes.flatMap((node) => stepInto(node, key)), branchesOf(root))
  return {
    fieldsAt(path) {
      const nodes = nodesAt(path)
      if (nodes.some(({ additionalProperties }) => typeof additionalProperties === 'object')) return undefined
      return [...new Set(nodes.flatMap(({ properties }) => Object.keys(properties ?? {})))]
    },
    takesText(path) {
      const nodes = nodesAt(path)
      // Where a list may stand instead, text that is one is read as one.
      if (nodes.some(({ type }) => type === 'array')) return false
      return nodes.some(({ type, enum: values, const: value }) => type === 'string' || values !== undefined || typeof value === 'string')
    },
  }
}

function branchesOf(node: JsonSchemaNode): JsonSchemaNode[] {
  return [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap((branch) => (branch === node ? [node] : branchesOf(branch)))
}

function stepInto(node: JsonSchemaNode, key: string | number): JsonSchemaNode[] {
  const next = typeof key === 'number' ? node.items : (node.properties?.[key] ?? node.additionalProperties)
  return typeof next === 'object' ? branchesOf(next) : []
}
