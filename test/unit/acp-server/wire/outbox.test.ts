import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Message } from '../../../../packages/acp-server/src/wire/message.ts'
import { mergedCharsMax } from '../../../../packages/acp-server/src/wire/merge-chunks.ts'
import { createOutbox, waitingBytesMax } from '../../../../packages/acp-server/src/wire/outbox.ts'

function chunk(
  text: string,
  { sessionId = 's', kind = 'agent_message_chunk', messageId = 'm', extra = {} } = {},
): Message {
  const update = {
    sessionUpdate: kind,
    ...(messageId !== '' && { messageId }),
    content: { type: 'text', text, ...extra },
  }
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }
}

const response = (id: number): Message => ({ jsonrpc: '2.0', id, result: {} })

/** An output that accepts nothing until it is read. */
function blockedOutput(): { output: PassThrough; read: () => Promise<Message[]> } {
  const output = new PassThrough({ highWaterMark: 1 })
  return {
    output,
    async read() {
      let text = ''
      output.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      await new Promise((resolve) => setImmediate(resolve))
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Message)
    },
  }
}

const textOf = (message: Message) => JSON.stringify('params' in message ? message.params : message)

test('while the output is blocked, pieces of one message are merged; nothing else is, and the order stays', async () => {
  const { output, read } = blockedOutput()
  const outbox = createOutbox(output)
  const blocker = response(0)
  for (const message of [
    blocker,
    chunk('a'),
    chunk('b'),
    chunk('c', { messageId: 'other' }),
    chunk('d', { messageId: 'other' }),
    chunk('e', { kind: 'agent_thought_chunk', messageId: 'other' }),
    chunk('f', { sessionId: 't', kind: 'agent_thought_chunk', messageId: 'other' }),
    response(1),
    chunk('g'),
    chunk('h', { extra: { annotations: {} } }),
    chunk('i'),
    chunk('j', { messageId: '' }),
    chunk('k', { messageId: '' }),
  ]) {
    await outbox.write(message)
  }
  const sent = await read()
  expect(sent.map(textOf)).toEqual(
    [
      blocker,
      chunk('ab'),
      chunk('cd', { messageId: 'other' }),
      chunk('e', { kind: 'agent_thought_chunk', messageId: 'other' }),
      chunk('f', { sessionId: 't', kind: 'agent_thought_chunk', messageId: 'other' }),
      response(1),
      chunk('g'),
      chunk('h', { extra: { annotations: {} } }),
      chunk('i'),
      chunk('j', { messageId: '' }),
      chunk('k', { messageId: '' }),
    ].map(textOf),
  )
})

test('an output that keeps up receives every piece unchanged', async () => {
  const output = new PassThrough()
  const pieces: string[] = []
  output.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece))
  const outbox = createOutbox(output)
  for (let count = 0; count < 100; count++) {
    await outbox.write(chunk(String(count)))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(pieces.join('').split('\n')).toHaveLength(101)
})

test('merged text has a limit', async () => {
  const { output, read } = blockedOutput()
  const outbox = createOutbox(output)
  await outbox.write(response(0))
  const piece = 'x'.repeat(mergedCharsMax - 1)
  for (const text of [piece, 'y', 'z']) await outbox.write(chunk(text))
  expect((await read()).slice(1).map(textOf)).toEqual([chunk(`${piece}y`), chunk('z')].map(textOf))
})

test('above its limit a writer waits until there is room, and nothing is lost', async () => {
  const { output, read } = blockedOutput()
  const outbox = createOutbox(output)
  let settled = false
  await outbox.write(response(0))
  const big = 'x'.repeat(waitingBytesMax)
  const writing = outbox.write(chunk(big)).then(() => (settled = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(settled).toBe(false)
  const sent = await read()
  await writing
  expect(sent.map(textOf)).toEqual([response(0), chunk(big)].map(textOf))
})

test('a listener is told when a message has been taken', async () => {
  const output = new PassThrough()
  output.resume()
  const taken: string[] = []
  await createOutbox(output).write(response(1), () => taken.push('response'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(taken).toEqual(['response'])
})

test('a closed output fails all writers, including waiting ones', async () => {
  const { output } = blockedOutput()
  const outbox = createOutbox(output)
  await outbox.write(response(0))
  const waiting = outbox.write(chunk('x'.repeat(2 * waitingBytesMax)))
  output.destroy(new Error('EPIPE'))
  const gone = { code: 'acp.editor_gone', cause: new Error('EPIPE') }
  await expect(waiting).rejects.toMatchObject(gone)
  await expect(outbox.write(response(1))).rejects.toMatchObject(gone)
  expect(outbox.gone.aborted).toBe(true)
  await outbox.flushed()
})
