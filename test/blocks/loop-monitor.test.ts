import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { loopWorkMaxMs, openChildLoopMonitor, startLoopMonitor } from '../support/loop-monitor.ts'

const blockMs = 200
/** Also on a machine that is four times slower, this is more than the most that is allowed. */
const computeMs = 8 * loopWorkMaxMs
const computedMsMin = 2 * loopWorkMaxMs
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const compute = `${usedMs}; const endMs = usedMs() + ${computeMs}; while (usedMs() < endMs);`
const wait = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${blockMs + 50});`

describe('the event loop monitor', () => {
  test('measures how long this process was busy, and can be reset', async () => {
    await using monitor = startLoopMonitor()
    await monitor.reset()
    const endMs = usedMs() + computeMs
    while (usedMs() < endMs);
    expect(await monitor.longestWorkMs()).toBeGreaterThanOrEqual(computedMsMin)
    await monitor.reset()
    expect(await monitor.longestWorkMs()).toBeLessThan(loopWorkMaxMs)
  })

  test.each([
    ['that computes', compute, 'longestWorkMs', computedMsMin],
    ['that waits with its thread', wait, 'longestStandMs', blockMs],
  ] as const)('measures a process %s', async (_name, block, longest, leastMs) => {
    await using monitor = await openChildLoopMonitor()
    const script = `process.stdin.setEncoding('utf8').on('data', (text) => { if (text.includes('block')) { ${block} } else process.exit() })`
    const child = spawn(process.execPath, [...monitor.nodeArgs, '-e', script], {
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    await monitor.reset()
    expect(await monitor.longestWorkMs()).toBeLessThan(loopWorkMaxMs)
    child.stdin.write('block')
    await expect.poll(() => monitor[longest](), { timeout: 60_000 }).toBeGreaterThanOrEqual(leastMs)
    await monitor.reset()
    expect(await monitor.longestWorkMs()).toBeLessThan(loopWorkMaxMs)
    child.stdin.write('end')
    await once(child, 'exit')
    expect(await monitor.longestWorkMs()).toBeLessThan(loopWorkMaxMs)
  })
})
