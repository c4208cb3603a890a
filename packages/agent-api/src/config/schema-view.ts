import { z } from 'zod'
import { agentFileSchema } from './agent-file-schema.ts'
import { readmeFields } from './complete-servers.ts'
import type { ConfigPath } from './config-path.ts'
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

/** For editors. */
export function toAgentFileJsonSchema(): Record<string, unknown> {
  return {
    title: 'Ostler agent file',
    ...z.toJSONSchema(agentFileSchema, { io: 'input', unrepresentable: 'any', override: suitEditors }),
  }
}

/** Fields that determine the type of a server, which `completeServers` adds. A URL alone means the first type that has one. */
const typeGivers: Readonly<Record<string, string>> = { stdio: 'command', http: 'url' }

/** Editors check the unexpanded text, so a URL must allow `${VAR}`. Defaults are shown as a person would write them. */
function suitEditors({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  delete jsonSchema.format
  const { def } = zodSchema._zod
  if (def.type === 'default') jsonSchema.default = def.defaultValue
  const { properties = {}, required = [] } = jsonSchema
  if (required.includes('mode')) addModeRules(jsonSchema)
  const type = properties['type']
  const kind = typeof type === 'object' ? String(type.const) : ''
  if (!required.includes(typeGivers[kind] ?? '')) return
  jsonSchema.required = jsonSchema.required?.filter((name) => name !== 'type')
  if (kind === 'http' && typeof type === 'object')
    properties['type'] = { type: 'string', enum: ['http', 'streamable-http'] }
}

/** The rules of `completeServers` and `checkServers`. */
function addModeRules(server: z.core.JSONSchema.BaseSchema): void {
  server.required = server.required?.filter((name) => name !== 'mode')
  const mode = (value: string) => ({ mode: { const: value } })
  server.anyOf = [
    { properties: mode('strict'), required: ['mode'] },
    { properties: { ...mode('dynamic'), defaultToolConfig: {} }, required: ['mode', 'defaultToolConfig'] },
    { propertyNames: { enum: [...readmeFields] } },
  ]
}

let view: SchemaView | undefined

/** The schema by path. Created on demand: that takes longer than checking a file, and most files do not need it. */
export function schemaView(): SchemaView {
  return (view ??= createSchemaView())
}

/** If the schema branches, all branches count. */
function createSchemaView(): SchemaView {
  const root = toAgentFileJsonSchema() as JsonSchemaNode
  const nodesAt = (path: ConfigPath) =>
    path.reduce<JsonSchemaNode[]>(
      (nodes, key) => nodes.flatMap((node) => stepInto(node, key)),
      branchesOf(root),
    )
  return {
    fieldsAt(path) {
      const nodes = nodesAt(path)
      if (nodes.some(({ additionalProperties }) => typeof additionalProperties === 'object')) return undefined
      return [...new Set(nodes.flatMap(({ properties }) => Object.keys(properties ?? {})))]
    },
    takesText(path) {
      const nodes = nodesAt(path)
      // If the field may also be a list, JSON text is parsed as a list.
      if (nodes.some(({ type }) => type === 'array')) return false
      return nodes.some(
        ({ type, enum: values, const: value }) =>
          type === 'string' || values !== undefined || typeof value === 'string',
      )
    },
  }
}

function branchesOf(node: JsonSchemaNode): JsonSchemaNode[] {
  return [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap((branch) =>
    branch === node ? [node] : branchesOf(branch),
  )
}

function stepInto(node: JsonSchemaNode, key: string | number): JsonSchemaNode[] {
  const next = typeof key === 'number' ? node.items : (node.properties?.[key] ?? node.additionalProperties)
  return typeof next === 'object' ? branchesOf(next) : []
}
