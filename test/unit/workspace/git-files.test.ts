import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pathsIn } from '../../../packages/agent-api/src/base/git-settings.ts'
import { gitSensitivity } from '../../../packages/agent-api/src/workspace/git-files.ts'
import { makeFifo } from '../../support/make-fifo.ts'
import { openTempDir } from '../../support/temp-dir.ts'

test.each<
  [what: string, files: Readonly<Record<string, string>>, path: string, expected: string | undefined]
>([
  ['a repository', { 'x/HEAD': '', 'x/objects/a': '', 'x/refs/a': '' }, 'x/config', 'secret'],
  ['deep in it', { 'x/HEAD': '', 'x/objects/a': '', 'x/refs/a': '' }, 'x/hooks/new/file', 'secret'],
  ['the repository itself', { 'x/HEAD': '', 'x/objects/a': '', 'x/refs/a': '' }, 'x', 'secret'],
  ['beside it', { 'x/HEAD': '', 'x/objects/a': '', 'x/refs/a': '' }, 'y/config', undefined],
  ['what a linked working tree has', { 'x/HEAD': '', 'x/commondir': '..' }, 'x/config', 'secret'],
  ['a folder with a file HEAD', { 'x/HEAD': '', 'x/objects/a': '' }, 'x/config', undefined],
  [
    'hooks of a linked working tree',
    { '.git': 'gitdir: m/w', 'm/w/commondir': '..', 'm/config': '[core]\nhooksPath = h' },
    'h/a',
    'program',
  ],
  ['settings of one working tree', { '.git/config.worktree': '[core]\n\thooksPath = h' }, 'h/a', 'program'],
  ['beside the hooks', { '.git/config': '[core]\n\thooksPath = h' }, 'hh/a', undefined],
  ['hooks in the whole tree', { '.git/config': '[core]\n\thooksPath = .' }, 'a', undefined],
])('%s', async (_, files, path, expected) => {
  await using dir = await openTempDir()
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir.path, name)), { recursive: true })
    await writeFile(join(dir.path, name), text)
  }
  expect(await gitSensitivity(join(dir.path, path))).toBe(expected)
})

test('settings that are a pipe are not read', async () => {
  await using dir = await openTempDir()
  await mkdir(join(dir.path, '.git'))
  makeFifo(join(dir.path, '.git/config'))
  expect(await gitSensitivity(join(dir.path, 'a'))).toBeUndefined()
})

describe('the paths in settings of Git', () => {
  test.each<[config: string, ...paths: string[]]>([
    ['[core]\n\thooksPath = tools/hooks\n', '/w/tools/hooks'],
    ['[core]\n\tHOOKSPATH="tools/my hooks" ; mine\n', '/w/tools/my hooks'],
    ['[core] hooksPath = a # b\n', '/w/a'],
    ['[core]\n\tfsmonitor = ./watch.sh\r\n', '/w/watch.sh'],
    ['[include]\n\tpath = ../shared\n', '/w/shared'],
    ['[includeIf "gitdir:/w/"]\n\tpath = /w/tools/config\n', '/w/tools/config'],
    ['[include]\n\tpath = ~/own\n', '/home/me/own'],
    ['[include]\n\tpath = ~other/own\n', '/w/.git/~other/own'],
    ['[core]\n\thooksPath =\n'],
    ['[core]\n\tbare = false\n[remote "origin"]\n\turl = /w/x\n'],
    ['# hooksPath = a\n'],
  ])('%j', async (config, ...paths) => {
    expect(await pathsIn(config, { work: '/w', file: '/w/.git/config', home: '/home/me' })).toEqual(paths)
  })
})
