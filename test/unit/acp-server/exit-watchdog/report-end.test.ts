import { closeSync, constants, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openState } from '@ostler/agent-api/internal'
import { expect, test } from 'vitest'
import { reportEnd } from '../../../../packages/acp-server/src/exit-watchdog/report-end.ts'
import { openPipe } from '../../../support/descriptors.ts'
import { until } from '../../../support/processes.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

const message = 'ended by force: a reason'

function readAll(descriptor: number): string {
  const text = Buffer.alloc(1_000)
  return text.toString('utf8', 0, readSync(descriptor, text))
}

test('the reason is in the log, on the error output and in the state', async () => {
  await using dir = await openTempDir()
  await using errors = await openPipe()
  const [logFile, stateDir] = [join(dir.path, 'log'), join(dir.path, 'state')]
  await reportEnd({ message, errorOutput: errors.writing, logFile, stateDir })
  expect(readFileSync(logFile, 'utf8')).toMatch(/^\S+ error ended by force: a reason\n$/)
  expect(readAll(errors.reading)).toBe('ostler: ended by force: a reason\n')
  using history = openState({ stateDir })
  expect(history.presence.lastEnd()?.reason).toBe(message)
})

test('without a log and a state the reason is on the error output', async () => {
  await using errors = await openPipe()
  await reportEnd({ message, errorOutput: errors.writing, logFile: undefined, stateDir: undefined })
  expect(readAll(errors.reading)).toBe('ostler: ended by force: a reason\n')
})

test('an unwritable log and state do not affect the other places', async () => {
  await using dir = await openTempDir()
  await using errors = await openPipe()
  const stateDir = join(dir.path, 'file')
  await writeFile(stateDir, 'not a folder')
  await reportEnd({ message, errorOutput: errors.writing, logFile: dir.path, stateDir })
  expect(readAll(errors.reading)).toBe('ostler: ended by force: a reason\n')
})

test('a full error output keeps the reason from no other place', async () => {
  await using dir = await openTempDir()
  await using errors = await openPipe()
  expect(() => {
    for (;;) writeSync(errors.writing, Buffer.alloc(4_096))
  }).toThrow('EAGAIN')
  const [logFile, stateDir] = [join(dir.path, 'log'), join(dir.path, 'state')]
  // This end waits for room.
  const errorOutput = openSync(`/dev/fd/${errors.writing}`, constants.O_WRONLY)
  const reported = reportEnd({ message, errorOutput, logFile, stateDir })
  expect(readFileSync(logFile, 'utf8')).toContain(message)
  using history = openState({ stateDir })
  await until('the reason in the state', () => history.presence.lastEnd()?.reason === message)
  errors.close('reading')
  await reported
  closeSync(errorOutput)
})
