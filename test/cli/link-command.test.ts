import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openTempDir } from '../support/temp-dir.ts'

const run = promisify(execFile)
const workspace = join(import.meta.dirname, '../..')
const link = (directory: string) =>
  run(join(workspace, 'node_modules/.bin/tsx'), [join(workspace, 'test/scripts/link-command.ts'), directory])

test.skipIf(process.platform === 'win32')(
  '`link:command` writes a command that runs from anywhere, whatever Node is on the PATH',
  async () => {
    await using dir = await openTempDir()
    const bin = join(dir.path, "my 'own' bin")
    const command = join(bin, 'ostler')
    expect((await link(bin)).stdout).toMatch(/^Wrote .*\/ostler\. .*\n.* is not on your PATH yet\./)
    expect((await stat(command)).mode & 0o777).toBe(0o755)
    const { stdout } = await run(command, ['version'], { cwd: '/', env: { PATH: '/usr/bin:/bin' } })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    // Linking again is fine. Another program's file stays.
    await link(bin)
    await writeFile(command, 'another')
    await expect(link(bin)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is already another'),
    })
    expect(await readFile(command, 'utf8')).toBe('another')
  },
)
