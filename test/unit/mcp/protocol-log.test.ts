import { describe, expect, it } from 'vitest'
import { createProtocolLog } from '../../../packages/agent-api/src/mcp/protocol-log.ts'

const request = (id: number, method = 'tools/call', params: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

describe('the protocol log', () => {
  it('connects an answer with its request, and measures the time between', () => {
    let time = 5
    const log = createProtocolLog(() => time)
    log.add('client', request(1))
    log.add('server', request(1, 'sampling/createMessage'))
    time = 30
    log.add('server', { jsonrpc: '2.0', id: 1, result: {} })
    log.add('client', { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } })
    log.add('server', { jsonrpc: '2.0', id: 1, result: {} })
    expect(
      log
        .messages()
        .map(({ seq, kind, method, otherSeq, durationMs }) => [seq, kind, method, otherSeq, durationMs]),
    ).toEqual([
      [1, 'request', 'tools/call', 3, 25],
      [2, 'request', 'sampling/createMessage', 4, 25],
      [3, 'result', 'tools/call', 1, 25],
      [4, 'error', 'sampling/createMessage', 2, 25],
      [5, 'result', '', undefined, undefined],
    ])
  })

  it('keeps the newest messages, and few notifications of a flood', () => {
    const log = createProtocolLog(() => 0)
    for (let id = 1; id <= 1_500; id++) log.add('client', request(id))
    for (let count = 0; count < 5_000; count++)
      log.add('server', { method: 'notifications/message', params: {} })
    expect(log.messages()).toHaveLength(1_000)
    expect(log.messages()[0]?.seq).toBe(601)
    expect(log.leftOut).toBe(600 + 4_900)
  })

  it('keeps the beginning of a long message as valid JSON, and limits all of them together', () => {
    const log = createProtocolLog()
    for (let id = 1; id <= 200; id++)
      log.add('server', { jsonrpc: '2.0', id, result: { text: 'x'.repeat(100_000), after: 'lost' } })
    const kept = log.messages()
    expect(kept.reduce((sum, { json }) => sum + json.length, 0)).toBeLessThanOrEqual(2_000_000)
    expect(kept.at(-1)).toMatchObject({ isCut: true, isVast: false, chars: expect.any(Number) })
    expect(kept.at(-1)?.chars).toBeGreaterThan(100_000)
    expect(JSON.parse(kept.at(-1)?.json ?? '')).toMatchObject({
      id: 200,
      result: { text: expect.stringMatching(/^x+…$/) },
    })
  })

  it('does not read a huge message to its end', () => {
    const log = createProtocolLog()
    log.add('server', {
      jsonrpc: '2.0',
      id: 1,
      result: { list: Array.from({ length: 200_000 }, () => ({ a: 1 })) },
    })
    expect(log.messages()[0]).toMatchObject({ isCut: true, isVast: true })
    expect(log.messages()[0]?.json.length).toBeLessThan(100_000)
  })

  it('ignores input that is not a message, and limits the lengths of names', () => {
    const log = createProtocolLog()
    log.add('server', 'text')
    log.add('server', { method: 'm'.repeat(1_000), id: { toString: 0 } })
    expect(log.messages()).toMatchObject([{ kind: 'request', method: 'm'.repeat(200) }])
  })
})
