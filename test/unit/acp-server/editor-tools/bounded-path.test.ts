import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { boundedPath } from '../../../../packages/acp-server/src/editor-tools/bounded-path.ts'
import { openTempDir } from '../../../support/temp-dir.ts'

test('a path counts as inside if both its name and its link target are in a root', async () => {
  await using dir = await openTempDir()
  const root = join(dir.path, 'root')
  const other = join(dir.path, 'other')
  const outside = join(dir.path, 'outside')
  for (const path of [root, other, outside, join(root, 'sub'), join(root, '..dots')]) await mkdir(path)
  await writeFile(join(outside, 'secret'), '')
  await symlink(outside, join(root, 'out'))
  await symlink(join(outside, 'secret'), join(root, 'file'))
  await symlink(join(root, 'sub'), join(root, 'in'))
  await symlink(other, join(root, 'to-other'))
  await symlink(root, join(dir.path, 'alias'))
  const roots = [root, other]

  const inside: [string, string][] = [
    ['.', root],
    ['', root],
    ['sub/new/deeper.txt', join(root, 'sub/new/deeper.txt')],
    ['sub/../x', join(root, 'x')],
    ['in/x', join(root, 'in/x')],
    ['to-other/x', join(root, 'to-other/x')],
    ['..dots/x', join(root, '..dots/x')],
    [join(other, 'x'), join(other, 'x')],
  ]
  for (const [path, expected] of inside) expect(await boundedPath(path, roots)).toBe(expected)
  for (const path of ['..', '../outside/secret', 'out', 'out/new', 'file', 'sub/../../x', `${root}x`, '/', '/etc/passwd', 'a\0b']) {
    expect(await boundedPath(path, roots)).toBeUndefined()
  }
  // A root that is reached through a link is still that root.
  expect(await boundedPath('x', [join(dir.path, 'alias')])).toBe(join(dir.path, 'alias', 'x'))
  expect(await boundedPath('out/x', [join(dir.path, 'alias')])).toBeUndefined()
  expect(await boundedPath('x', [])).toBeUndefined()
  expect(await boundedPath('any/where', ['/'])).toBe('/any/where')
})
