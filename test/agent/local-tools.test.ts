import { createAgent, defineTool } from '@ostler/agent-api'
import { builtinToolNames } from '@ostler/agent-api/internal'
import { expect, it } from 'vitest'
import { openAgent, promptText } from './agent-harness.ts'

const sum = defineTool({ name: 'sum', description: 'Adds', execute: () => '3' })
const strict = (toolbox: { name: string; server?: string }[]) => ({ tools: [sum], toolbox: { tools: toolbox } })

it.each([
  ['nothing is configured', []],
  ['it is configured for a server only', [{ name: 'sum', server: 'maths' }]],
])('a local tool prevents the start where %s', (_, toolbox) => {
  expect(() => createAgent({ ...strict(toolbox), env: {} })).toThrow(
    expect.objectContaining({
      code: 'agent.strict_violation',
      message: expect.stringContaining("Local tool 'sum' is not configured in the toolbox."),
    }),
  )
})

it.each([
  ['it is configured', { ...strict([{ name: 'sum' }]), tools: { mode: 'strict', tools: [sum] } as const }],
  ['the program says open', { tools: { mode: 'open', tools: [sum] } as const }],
])('a local tool is admitted where %s', async (_, config) => {
  await using setup = await openAgent([{ text: 'hi' }], config)
  await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go')
  expect(setup.model.requests[0]?.tools.map(({ name }) => name)).toEqual([...builtinToolNames, 'sum'])
})
