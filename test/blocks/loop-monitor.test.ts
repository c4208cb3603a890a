import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { loopBlockMaxMs, openChildLoopMonitor, startLoopMonitor } from '../support/loop-monitor.ts'

const blockMs = 200

describe('the event loop monitor', () => {
  test('measures how long this process was busy, and can be reset', async () => {
    await using monitor = startLoopMonitor()
    await monitor.reset()
    const end = performance.now() + 5 * blockMs
    while (performance.now() < end);
    // On a busy machine, only part of that time was ours.
    expect(await monitor.longestBlockMs()).toBeGreaterThan(blockMs)
    await monitor.reset()
    expect(await monitor.longestBlockMs()).toBeLessThan(loopBlockMaxMs)
  })

  test.each([
    ['that computes', `const end = performance.now() + ${5 * blockMs}; while (performance.now() < end);`],
    ['that waits with its thread', `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${blockMs + 50});`],
  ])('measures a process %s', async (_name, block) => {
    await using monitor = await openChildLoopMonitor()
    const script = `process.stdin.setEncoding('utf8').on('data', (text) => { if (text.includes('block')) { ${block} } else process.exit() })`
    const child = spawn(process.execPath, [...monitor.nodeArgs, '-e', script], {
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    await monitor.reset()
    expect(await monitor.longestBlockMs()).toBeLessThan(loopBlockMaxMs)
    child.stdin.write('block')
    await expect.poll(() => monitor.longestBlockMs(), { timeout: 10_000 }).toBeGreaterThan(blockMs)
    await monitor.reset()
    expect(await monitor.longestBlockMs()).toBeLessThan(loopBlockMaxMs)
    child.stdin.write('end')
    await once(child, 'exit')
    expect(await monitor.longestBlockMs()).toBeLessThan(loopBlockMaxMs)
  })
})
