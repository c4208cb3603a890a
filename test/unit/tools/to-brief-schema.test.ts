import { expect, test } from 'vitest'
import { toBriefSchema } from '../../../packages/agent-api/src/tools/to-brief-schema.ts'
import { createToolSet } from '../../../packages/agent-api/src/tools/tool-set.ts'
import { mergeToolConfig } from '../../../packages/agent-api/src/policy/tool-config.ts'
import { defineTool } from '../../../packages/agent-api/src/tools/define-tool.ts'

const schema = {
  type: 'object',
  properties: {
    minimum: { type: 'integer', minimum: 1, maximum: 5, description: 'A property with the name of a bound' },
    names: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1, maxLength: 9 } },
    kind: { enum: ['a', 'b'] },
  },
  required: ['names'],
  additionalProperties: false,
}

test('keeps everything but bounds', () => {
  expect(toBriefSchema(schema)).toEqual({
    type: 'object',
    properties: {
      minimum: { type: 'integer', description: 'A property with the name of a bound' },
      names: { type: 'array', items: { type: 'string' } },
      kind: { enum: ['a', 'b'] },
    },
    required: ['names'],
  })
})

test('gives the same object for the same schema', () => {
  expect(toBriefSchema(schema)).toBe(toBriefSchema(schema))
})

test('only built-in tools are sent without bounds', () => {
  const tools = ['read_file', 'measure'].map((name) =>
    defineTool({ name, description: name, inputSchema: schema, execute: () => '' }),
  )
  const local = tools.map((tool) => ({
    tool,
    config: mergeToolConfig([]),
    home: { type: 'local', isBuiltin: tool.ref.tool === 'read_file' } as const,
  }))
  const { wireTools, find } = createToolSet(local)
  expect(wireTools.map(({ inputSchema }) => inputSchema)).toEqual([toBriefSchema(schema), schema])
  // Arguments are checked against the whole.
  expect(find('read_file')?.tool.inputSchema).toBe(schema)
})
