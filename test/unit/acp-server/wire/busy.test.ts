import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { silentLogger } from '../../../../packages/agent-api/src/base/logger.ts'
import { openWire } from '../../../../packages/acp-server/src/wire/open-wire.ts'

test('the wire is busy from the first open request of the editor to the last answer, and at no other time', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const told: boolean[] = []
  const wire = openWire(input, output, silentLogger, (isBusy) => void told.push(isBusy))
  const receive = async (message: object) => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    await wire.incoming.next()
  }
  const answer = async (id: number) => {
    const answered = new Promise<void>((resolve) => wire.onAnswered(id, resolve))
    await wire.write({ jsonrpc: '2.0', id, result: {} })
    await answered
  }

  await receive({ method: 'session/cancel', params: {} })
  expect(told).toEqual([])
  await receive({ id: 1, method: 'session/prompt', params: {} })
  expect(told).toEqual([true])
  await receive({ id: 2, method: 'session/list', params: {} })
  await answer(2)
  expect(told).toEqual([true])
  await answer(1)
  expect(told).toEqual([true, false])
  await receive({ id: 3, method: 'session/prompt', params: {} })
  expect(told).toEqual([true, false, true])
})
