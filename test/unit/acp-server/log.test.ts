import { createRedactor } from '@ostler/agent-api'
import { readFile } from 'node:fs/promises'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLog } from '../../../packages/acp-server/src/log.ts'
import { makeFifo } from '../../support/make-fifo.ts'
import { openTempDir } from '../../support/temp-dir.ts'

// The log also goes to this process's stderr, where it would clutter the report.
beforeEach(() => void vi.spyOn(process.stderr, 'write').mockReturnValue(true))
afterEach(() => void vi.restoreAllMocks())

test('one line per record, with secrets redacted in message and fields', async () => {
  await using dir = await openTempDir()
  const file = join(dir.path, 'log')
  const redactor = createRedactor()
  redactor.add('canary-44de0a')
  const log = openLog({ level: 'info', file, redactor })
  log.error('it broke\r\nbadly: canary-44de0a', {
    key: 'canary-44de0a',
    encoded: Buffer.from('canary-44de0a').toString('base64'),
  })
  log.info('fine')
  log.debug('too much')
  const lines = (await readFile(file, 'utf8')).split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(
    /^\d{4}-\d\d-\d\dT\S+Z error it broke\\r\\nbadly: \[redacted\] \{"key":"\[redacted\]","encoded":"\[redacted\]"\}$/,
  )
  expect(lines[1]).toMatch(/Z info fine$/)
})

test('fields that cannot be serialized do not break the log', async () => {
  await using dir = await openTempDir()
  const file = join(dir.path, 'log')
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  openLog({ level: 'warn', file, redactor: createRedactor() }).warn('odd', circle)
  expect(await readFile(file, 'utf8')).toContain('warn odd')
})

test('a pipe, a device and a directory are refused at once, because each could block', async () => {
  await using dir = await openTempDir()
  const pipe = join(dir.path, 'pipe')
  makeFifo(pipe)
  for (const file of [pipe, '/dev/zero'])
    expect(() => openLog({ level: 'warn', file, redactor: createRedactor() })).toThrow(
      expect.objectContaining({
        code: 'config.log_file',
        message: `The log file ${file} cannot be opened: it is not a regular file.`,
      }),
    )
  expect(() => openLog({ level: 'warn', file: devNull, redactor: createRedactor() })).not.toThrow()
  expect(() => openLog({ level: 'warn', file: dir.path, redactor: createRedactor() })).toThrow(
    'it is a directory',
  )
})

test('an error that is already shown is recorded in the file alone', async () => {
  await using dir = await openTempDir()
  const file = join(dir.path, 'log')
  const redactor = createRedactor()
  redactor.add('canary-44de0a')
  openLog({ level: 'error', file, redactor }).recordError('ended: no canary-44de0a')
  expect(await readFile(file, 'utf8')).toMatch(/Z error ended: no \[redacted\]\n$/)
  expect(process.stderr.write).not.toHaveBeenCalled()
})
