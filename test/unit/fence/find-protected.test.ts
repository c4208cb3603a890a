import { mkdir, writeFile } from 'node:fs/promises'
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
