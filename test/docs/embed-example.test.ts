import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openTempDir } from '../support/temp-dir.ts'

const repository = join(import.meta.dirname, '../..')
const example = join(repository, 'docs/embed-example.ts')
const fileServer = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js')

it.for(['README.md', 'packages/agent-api/README.md'])('%s shows the example unchanged', async (path) => {
  const readme = await readFile(join(repository, path), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${await readFile(example, 'utf8')}\`\`\``)
})

it('the example runs unchanged: a server of this workspace replaces npx, so that nothing is downloaded', async () => {
  await using project = await openTempDir()
  await writeFile(join(project.path, 'package.json'), '{ "name": "livery-stable", "type": "module" }\n')
  await copyFile(example, join(project.path, 'example.ts'))
  await symlink(join(repository, 'test/node_modules'), join(project.path, 'node_modules'))
  const bin = join(project.path, 'bin')
  const npx = join(bin, 'npx')
  await mkdir(bin)
  await writeFile(npx, `#!/bin/sh\necho "$1 $2" > npx-was-asked-for\nshift 2\nexec '${process.execPath}' '${fileServer}' "$@"\n`)
  await chmod(npx, 0o755)

  const { stdout, stderr } = await promisify(execFile)(join(repository, 'node_modules/.bin/tsx'), ['example.ts'], {
    cwd: project.path,
    env: { PATH: [bin, process.env['PATH']].join(delimiter), HOME: project.path, OSTLER_MODEL: 'offline' },
  })

  expect(stdout).toContain('livery-stable')
  expect(stderr).toBe('')
  expect(await readFile(join(project.path, 'npx-was-asked-for'), 'utf8')).toBe('-y @modelcontextprotocol/server-filesystem\n')
})
