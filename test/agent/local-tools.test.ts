import { defineTool } from '@ostler/agent-api'
import { builtinToolNames } from '@ostler/agent-api/internal'
import { expect, it } from 'vitest'
import { openAgent, promptText } from './agent-harness.ts'

const sum = defineTool({ name: 'sum', description: 'Adds', execute: () => '3' })
const strict = (toolbox: { name: string; server?: string }[]) => ({
  tools: [sum],
  toolbox: { tools: toolbox },
})

it('a tool of a session is as strict, and says so before the session begins', async () => {
  await using setup = await openAgent([{ text: 'hi' }], { toolbox: { tools: [{ name: 'sum' }] } })
  const [cwd, other] = [setup.folder, { ...sum, ref: { server: null, tool: 'other' } }]
  for (const tools of [[sum, other], { mode: 'strict', tools: [other] } as const])
    expect(() => setup.agent.createSession({ cwd, tools })).toThrow(
      expect.objectContaining({
        code: 'agent.strict_violation',
        message: expect.stringContaining("Local tool 'other' is not configured"),
      }),
    )
  const first = setup.agent.createSession({ cwd, tools: [sum] })
  await promptText(first, 'go')
  await first[Symbol.asyncDispose]()
  await expect(setup.agent.reopenSession(first.id, { cwd, tools: [other] })).rejects.toMatchObject({
    code: 'agent.strict_violation',
  })
  await promptText(
    await setup.agent.reopenSession(first.id, { cwd, tools: { mode: 'open', tools: [other] } }),
    'go',
  )
  expect(setup.model.requests.map(({ tools }) => tools.at(-1)?.name)).toEqual(['sum', 'other'])
})

it.each([
  ['it is configured', { ...strict([{ name: 'sum' }]), tools: { mode: 'strict', tools: [sum] } as const }],
  ['the program says open', { tools: { mode: 'open', tools: [sum] } as const }],
])('a local tool is admitted where %s', async (_, config) => {
  await using setup = await openAgent([{ text: 'hi' }], config)
  await promptText(setup.agent.createSession({ cwd: setup.folder }), 'go')
  const offered = setup.model.requests[0]?.tools ?? []
  expect(offered.map(({ name }) => name)).toEqual([...builtinToolNames, 'sum'])
  // Built-in tools are sent without the bounds of their arguments.
  expect(JSON.stringify(offered)).not.toContain('additionalProperties')
})
