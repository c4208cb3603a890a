import { constants, readSync, writeSync } from 'node:fs'
import { constants as system } from 'node:os'
import { expect, test } from 'vitest'
import { openUnreadSignals } from '../../../../packages/acp-server/src/exit-watchdog/unread-signals.ts'
import { openOthersPipe } from '../../../support/descriptors.ts'
import { toSignalRecord } from '../../../support/signal-record.ts'

const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants
const { SIGTERM, SIGUSR2 } = system.signals
const isLinux = process.platform === 'linux'

test.runIf(isLinux)('signals that wait for two looks are reported, and stay for the event loop to read', async () => {
  await using pipe = await openOthersPipe()
  const input = pipe.open(O_RDONLY | O_NONBLOCK)
  const output = pipe.open(O_WRONLY | O_NONBLOCK)
  const signals = openUnreadSignals()
  expect(signals.look()).toEqual([])
  const records = Buffer.concat([toSignalRecord(SIGTERM), toSignalRecord(SIGUSR2)])
  writeSync(output, records)
  expect(signals.look()).toEqual([])
  expect(signals.look()).toEqual([SIGTERM, SIGUSR2])
  const left = Buffer.alloc(100)
  expect(left.subarray(0, readSync(input, left))).toEqual(records)
  expect(signals.look()).toEqual([])
})

test.runIf(isLinux)('a signal to this process is found before its event loop has come to it', async () => {
  const handled = Promise.withResolvers<NodeJS.Signals>()
  process.once('SIGUSR2', handled.resolve)
  const signals = openUnreadSignals()
  process.kill(process.pid, 'SIGUSR2')
  let found: readonly number[] = []
  for (let looks = 0; found.length === 0 && looks < 1_000; looks++) found = signals.look()
  expect(found).toEqual([SIGUSR2])
  expect(await handled.promise).toBe('SIGUSR2')
})

test.runIf(isLinux)('half a record is ignored', async () => {
  await using pipe = await openOthersPipe()
  pipe.open(O_RDONLY | O_NONBLOCK)
  const signals = openUnreadSignals()
  const output = pipe.open(O_WRONLY | O_NONBLOCK)
  const both = openUnreadSignals()
  writeSync(output, toSignalRecord(SIGTERM).subarray(0, 12))
  for (let looks = 0; looks < 3; looks++) {
    expect(signals.look()).toEqual([])
    expect(both.look()).toEqual([])
  }
})

test.runIf(isLinux).each([
  ['one end only', [O_RDWR | O_NONBLOCK]],
  ['more than two ends', [O_RDONLY | O_NONBLOCK, O_WRONLY | O_NONBLOCK, O_WRONLY | O_NONBLOCK]],
  ['ends that wait', [O_RDONLY, O_WRONLY]],
  ['an output that waits', [O_RDONLY | O_NONBLOCK, O_WRONLY]],
  ['two inputs', [O_RDONLY | O_NONBLOCK, O_RDONLY | O_NONBLOCK]],
  ['an end for both', [O_RDONLY | O_NONBLOCK, O_RDWR | O_NONBLOCK]],
  ['two ends for both', [O_RDWR | O_NONBLOCK, O_RDWR | O_NONBLOCK]],
])('a pipe with %s is not mistaken for the signal pipe', async (_, ends) => {
  await using pipe = await openOthersPipe()
  for (const flags of ends) pipe.open(flags)
  const signals = openUnreadSignals()
  // Opened later, so that it is not among the ends that were found.
  writeSync(pipe.open(O_WRONLY | O_NONBLOCK), toSignalRecord(SIGTERM))
  for (let looks = 0; looks < 3; looks++) expect(signals.look()).toEqual([])
})
