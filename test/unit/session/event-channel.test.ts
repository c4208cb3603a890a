import { describe, expect, it } from 'vitest'
import { createEventChannel } from '../../../packages/agent-api/src/session/event-channel.ts'

describe('an event channel', () => {
  it('delivers everything in order, then ends', async () => {
    const channel = createEventChannel<number>()
    const pushed = Promise.all([1, 2, 3].map((value) => channel.push(value))).then(() => channel.end())
    expect(await Array.fromAsync(channel)).toEqual([1, 2, 3])
    await pushed
  })

  it('blocks the producer until the value is consumed', async () => {
    const channel = createEventChannel<number>()
    let taken = false
    void channel.push(1).then(() => (taken = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(taken).toBe(false)
    const values = channel[Symbol.asyncIterator]()
    await values.next()
    channel.end()
    await values.next()
    expect(taken).toBe(true)
  })

  it('delivers pushed values before the error', async () => {
    const channel = createEventChannel<number>()
    void channel.push(1)
    channel.end(new Error('broken'))
    const values = channel[Symbol.asyncIterator]()
    expect(await values.next()).toMatchObject({ value: 1 })
    await expect(values.next()).rejects.toThrow('broken')
  })

  it('releases the producer when the consumer leaves', async () => {
    const channel = createEventChannel<number>()
    const pushed = Promise.all([channel.push(1), channel.push(2)])
    for await (const _ of channel) break
    await expect(pushed).resolves.toHaveLength(2)
    await expect(channel.push(3)).resolves.toBeUndefined()
  })
})
