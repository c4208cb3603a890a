import { expect, test } from 'vitest'
import { startLoopbackModel, type Reply } from '../support/loopback-model/index.ts'
import { collectUntilFailure, textOf } from './ask.ts'

const vendors = ['anthropic', 'openai', 'openai-responses', 'google', 'ollama'] as const
const MiB = 1024 * 1024
const toolCalls = [{ name: 'disk__write', args: { text: 'x'.repeat(10_000) } }]

/** Gemini sends a call's arguments in one piece. */
const withArguments = vendors.filter((vendor) => vendor !== 'google')

test.each<[(typeof vendors)[number], Reply, string]>([
  ...vendors.flatMap((vendor): [(typeof vendors)[number], Reply, string][] => [
    [vendor, { endless: 'lines' }, 'one event is over 16 MiB'],
    [vendor, { text: 'x'.repeat(30_000), endless: 'text' }, 'the answer is over 2 MiB'],
  ]),
  // The same limit as of short lines, which shows that each vendor has it.
  ['anthropic', { endless: 'line' }, 'one event is over 16 MiB'],
  ...withArguments.map((vendor): [(typeof vendors)[number], Reply, string] => [
    vendor,
    { toolCalls, endless: 'tool_args' },
    'the arguments of one call are over 1 MiB',
  ]),
])('an endless answer of %s (%o) is cut off, and not retried', async (vendor, reply, limit) => {
  await using server = await startLoopbackModel({ vendor, script: [reply] })
  const { parts, error } = await collectUntilFailure(server)
  expect(error).toMatchObject({
    code: 'model.answer_too_large',
    message: expect.stringMatching(new RegExp(`was cut off: ${limit}\\.$`)),
  })
  expect(textOf(parts).length).toBeLessThanOrEqual(2 * MiB)
  await server.waitForDisconnect()
  // The rest is what both systems buffer for a connection.
  expect(server.requests[0]?.sentBytes).toBeLessThan(40 * MiB)
  expect(server.requests).toHaveLength(1)
})
