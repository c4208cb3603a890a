import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFileLock } from '../../packages/agent-api/src/secret-store/file-lock.ts'
import { openTempDir } from '../support/temp-dir.ts'

const holds = `
const { DatabaseSync } = require('node:sqlite')
const lock = new DatabaseSync(process.argv[1])
lock.exec('BEGIN EXCLUSIVE')
console.log('held')
setInterval(() => {}, 1000)`

test('the lock of secrets is free when its holder was killed', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'secrets.json.lock')
  const holder = spawn(process.execPath, ['-e', holds, path], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(holder.stdout, 'data')
  await expect(openFileLock(path, 0)).rejects.toMatchObject({ code: 'secrets.busy' })
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  using lock = await openFileLock(path, 0)
  expect(lock).toBeDefined()
})
