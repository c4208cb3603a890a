import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProtected } from '../../../packages/agent-api/src/fence/find-protected.ts'
import { openTempDir } from '../../support/temp-dir.ts'

test('what is protected below the top cannot change its place', async () => {
  await using temp = await openTempDir()
  const root = temp.path
  for (const folder of ['.git', 'packages/one/.git', 'packages/two/.vscode', 'source'])
    await mkdir(join(root, folder), { recursive: true })
  await writeFile(join(root, 'packages/one/.git/HEAD'), '')
  const { readOnly, fixed } = await findProtected(root)
  expect(readOnly).toContain(join(root, 'packages/one/.git'))
  expect(fixed.toSorted()).toEqual(
    ['packages', 'packages/one', 'packages/two'].map((name) => join(root, name)),
  )
})

test('a lock and the settings of editors are protected before they exist', async () => {
  await using temp = await openTempDir()
  const { absent } = await findProtected(temp.path)
  const names = absent.map(({ path }) => path.slice(temp.path.length + 1))
  expect(names).toEqual(expect.arrayContaining(['.git', '.vscode', '.mcp.json', 'ostler.lock']))
})

test('a directory full of other files does not hide what is protected at its top', async () => {
  await using temp = await openTempDir()
  const names = ['.mcp.json', 'ostler.lock', '.idea/workspace.xml']
  await mkdir(join(temp.path, '.idea'))
  for (const name of names) await writeFile(join(temp.path, name), 'x')
  await Promise.all(Array.from({ length: 5_001 }, (_, at) => writeFile(join(temp.path, `${at}`), '')))
  const { readOnly } = await findProtected(temp.path)
  expect(readOnly).toEqual(
    expect.arrayContaining(['.mcp.json', 'ostler.lock', '.idea'].map((name) => join(temp.path, name))),
  )
})

test('nothing can be added to the settings of an agent, at any level', async () => {
  await using temp = await openTempDir()
  for (const name of ['.claude/rules/mcp.json', 'inner/.cursor/notes.md']) {
    await mkdir(join(temp.path, name, '..'), { recursive: true })
    await writeFile(join(temp.path, name), 'x')
  }
  const { readOnly, fixed } = await findProtected(temp.path)
  expect(readOnly.toSorted()).toEqual(['.claude', 'inner/.cursor'].map((name) => join(temp.path, name)))
  expect(fixed).toEqual([join(temp.path, 'inner')])
})

test('no placeholder is made in a directory that the program cannot change', async () => {
  await using temp = await openTempDir()
  const folder = join(temp.path, 'theirs')
  await mkdir(folder, { mode: 0o555 })
  if (process.getuid?.() === 0) await chown(folder, 1_234, 1_234)
  expect((await findProtected(folder)).absent).toEqual([])
})
