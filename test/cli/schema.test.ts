import { expect, test } from 'vitest'
import { agentFilePath, compileSchema, readAgentFile } from '../support/agent-files.ts'
import { runCli } from '../support/run-cli.ts'

interface Node {
  readonly description?: string
  readonly type?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | boolean
  readonly items?: Node
  readonly oneOf?: readonly Node[]
}

async function schema(): Promise<Node> {
  const { code, stdout, stderr } = await runCli(['schema'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Node
}

test('the schema is JSON Schema 2020-12, and accepts the example files', async () => {
  const printed = await schema()
  expect(printed).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Ostler agent file',
  })
  const isValid = compileSchema(printed)
  for (const name of ['minimal-strict', 'minimal-dynamic', 'mixed'])
    expect(isValid(await readAgentFile(agentFilePath(`${name}.yaml`))), name).toBe(true)
})

test('an editor marks errors, and accepts variables', async () => {
  const isValid = compileSchema(await schema())
  const server = (over: object) => ({
    mcpServers: { one: { type: 'http', url: 'https://one.example', mode: 'strict', ...over } },
  })
  for (const right of [
    server({}),
    server({ mode: 'dynamic', defaultToolConfig: {} }),
    server({ url: '${ONE_URL}/mcp' }),
    server({ timeout: 2_000 }),
    server({ timeout: 'PT2S' }),
  ])
    expect(isValid(right), JSON.stringify(right)).toBe(true)
  for (const wrong of [
    { colour: 'red' },
    server({ mode: 'loose' }),
    server({ mode: 'dynamic' }),
    server({ timeout: true }),
    server({ url: 1 }),
  ])
    expect(isValid(wrong), JSON.stringify(wrong)).toBe(false)
})

test('fields have descriptions and defaults, and durations are texts or numbers', async () => {
  const printed = await schema()
  const undescribed = fieldsOf(printed).filter(
    ([name, node]) => node.description === undefined && !selfEvident.has(name),
  )
  expect(undescribed).toEqual([])
  const timeouts = fieldsOf(printed).filter(([name]) => name === 'timeout')
  expect(timeouts.length).toBeGreaterThan(3)
  for (const [, node] of timeouts) expect(node.type).toEqual(['string', 'number'])
  const servers = printed.properties?.['mcpServers']?.additionalProperties
  const [stdio] = typeof servers === 'object' ? (servers.oneOf ?? []) : []
  expect(stdio?.properties?.['timeout']).toMatchObject({ default: 30_000 })
  expect(stdio?.properties?.['retryAttempts']).toMatchObject({ default: 3 })
})

/** Fields that need no description. */
const selfEvident = new Set(['type', 'username', 'password'])

function fieldsOf(node: Node): [string, Node][] {
  const { properties = {}, additionalProperties, items, oneOf = [] } = node
  const inner = [
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(items ? [items] : []),
    ...oneOf,
  ]
  return [
    ...Object.entries(properties).flatMap(([name, field]): [string, Node][] => [
      [name, field],
      ...fieldsOf(field),
    ]),
    ...inner.flatMap(fieldsOf),
  ]
}
