import { expect, test } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import { toTiming } from '../../../packages/agent-api/src/base/timing.ts'
import type { ListName } from '../../../packages/agent-api/src/mcp/connection.ts'
import type { Established } from '../../../packages/agent-api/src/mcp/connector.ts'
import { createLink } from '../../../packages/agent-api/src/mcp/link.ts'
import { quickTiming } from '../../support/quick-timing.ts'

/** A connection whose lists have grown since it was established. */
function openGrown() {
  const asked: ListName[] = []
  const listed = Promise.withResolvers<readonly string[]>()
  const link = createLink({
    name: 'work',
    logger: silentLogger,
    timing: toTiming(quickTiming),
    signal: new AbortController().signal,
    onListed: listed.resolve,
    onDead: () => undefined,
  })
  const list = (name: ListName) => () => {
    asked.push(name)
    return Promise.resolve({ items: [{ name: `new ${name}` }], warnings: [`about ${name}`] })
  }
  link.hold({
    connection: { capabilities: [], server: {}, listTools: list('tools'), listPrompts: list('prompts') },
    tools: [{ name: 'old tools' }],
    prompts: [{ name: 'old prompts' }],
    warnings: [],
  } as unknown as Established)
  const now = () => ({
    tools: link.seen?.known.tools.map(({ name }) => name),
    prompts: link.seen?.known.prompts.map(({ name }) => name),
  })
  return { link, asked, listed: listed.promise, now }
}

test.each([
  ['tools', { tools: ['new tools'], prompts: ['old prompts'] }],
  ['prompts', { tools: ['old tools'], prompts: ['new prompts'] }],
] as const)('a change of the %s lists these again, and nothing else', async (name, expected) => {
  const { link, asked, listed, now } = openGrown()
  link.listChanged(name)
  expect(await listed).toEqual([`about ${name}`])
  expect(now()).toEqual(expected)
  expect(asked).toEqual([name])
  link.release()
})

test('both lists are read again when a server was woken', async () => {
  const { link, now } = openGrown()
  await link.relist()
  expect(now()).toEqual({ tools: ['new tools'], prompts: ['new prompts'] })
  link.release()
})
