import { execFile } from 'node:child_process'
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openTempDir } from '../support/temp-dir.ts'
import { editors, openToolSession } from '../support/tool-session.ts'

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [index, [path, content]] of Object.entries(files).entries()) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
    await utimes(join(folder, path), 1_000_000 + index, 1_000_000 + index)
  }
}

describe.each(editors)('in an editor with %s', (_, capabilities) => {
  test('files are searched and found without a question, and without ignored ones', async () => {
    await using session = await openToolSession(capabilities)
    await writeFiles(session.cwd, {
      '.gitignore': 'dist\n',
      'src/a.ts': 'one\n// TODO: two\nthree\n',
      'src/b/c.ts': 'TODO\n',
      'dist/a.js': 'TODO\n',
      'README.md': 'todo\n',
    })
    expect(await session.call('search_files', { pattern: 'TODO' })).toBe(
      'src/a.ts\n2: // TODO: two\n\nsrc/b/c.ts\n1: TODO\n\n[2 matches in 2 files]',
    )
    expect(
      await session.call('search_files', {
        pattern: 'todo',
        ignore_case: true,
        context: 1,
        path: 'src',
        glob: 'a.*',
      }),
    ).toBe('src/a.ts\n1- one\n2: // TODO: two\n3- three\n\n[1 match in 1 file]')
    expect(await session.call('search_files', { pattern: 'TODO:', literal: true, limit: 1 })).toContain(
      '2: // TODO: two',
    )
    expect(await session.call('find_files', { pattern: '**/*.ts' })).toBe(
      'src/b/c.ts\nsrc/a.ts\n[2 files, newest first]',
    )
    expect(await session.call('find_files', { pattern: '*.js' })).toBe(
      '[No files. Ignored files were left out.]',
    )
    expect(session.editor.permissionRequests()).toEqual([])
    const calls = session.editor
      .updates(session.sessionId)
      .filter(({ sessionUpdate }) => sessionUpdate === 'tool_call')
    expect(calls.map((call) => ('title' in call ? [call.title, 'kind' in call && call.kind] : []))).toEqual([
      ['Search "TODO"', 'search'],
      ['Search "todo" in src', 'search'],
      ['Search "TODO:"', 'search'],
      ['Find **/*.ts', 'search'],
      ['Find *.js', 'search'],
    ])
  })

  test('files with secrets are only searched by name, after a question; so are places outside', async () => {
    await using outside = await openTempDir()
    await using session = await openToolSession(capabilities)
    await writeFiles(session.cwd, { '.env': 'KEY=needle\n', 'a.txt': 'needle\n' })
    await writeFiles(outside.path, { 'o.txt': 'needle\n' })
    await symlink(outside.path, join(session.cwd, 'link'))
    const all = await session.call('search_files', { pattern: 'needle' })
    expect(all).toContain('[Matches in 1 file that usually holds secrets are not shown.')
    expect(all).not.toContain('KEY')
    expect(session.editor.permissionRequests()).toEqual([])
    expect(await session.call('search_files', { pattern: 'needle', path: '.env' })).toContain('KEY=needle')
    expect(await session.call('search_files', { pattern: 'needle', path: 'link' })).toContain('o.txt')
    expect(await session.call('find_files', { pattern: '*', path: outside.path })).toContain('o.txt')
    const asked = session.editor.permissionRequests()
    expect(asked).toHaveLength(3)
    expect(JSON.stringify(asked[1])).toContain(outside.path)
  })

  test('bad input is explained to the model, and nobody is asked', async () => {
    await using session = await openToolSession(capabilities)
    await writeFiles(session.cwd, { 'a.txt': 'text\n' })
    await promisify(execFile)('mkfifo', [join(session.cwd, 'fifo')])
    await symlink('loop', join(session.cwd, 'loop'))
    const cases: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
      [
        'search_files',
        { pattern: 'x', path: 'missing' },
        /"missing" cannot be searched: no such file or directory/,
      ],
      ['search_files', { pattern: 'x', path: 'a\0b' }, /NUL/],
      ['search_files', { pattern: 'x', path: 'loop' }, /loop/],
      ['search_files', { pattern: 'x', path: 'fifo' }, /it is not a file or directory/],
      ['search_files', { pattern: 'x', path: '/dev/zero' }, /it is not a file or directory/],
      ['search_files', { pattern: 'x', path: 'a.txt/b' }, /part of the path is a file/],
      ['search_files', { pattern: '(' }, /not a regular expression that can be used: .*set "literal"/],
      ['search_files', { pattern: '(?<=a)b' }, /set "literal"/],
      ['search_files', { pattern: 'a\nb' }, /line by line/],
      ['search_files', { pattern: 'a\0b' }, /NUL/],
      ['search_files', { pattern: '' }, /pattern/],
      ['search_files', { pattern: 'x'.repeat(1_001) }, /pattern/],
      ['search_files', { pattern: 'x', limit: 0 }, /limit/],
      ['search_files', { pattern: 'x', context: 11 }, /context/],
      ['search_files', { pattern: 'x', glob: '[z-a]' }, /invalid character class range/],
      ['find_files', { pattern: '[z-a]' }, /invalid character class range/],
      ['find_files', { pattern: '*', path: 'a.txt' }, /is a file. Name a directory/],
      ['find_files', { pattern: '*', path: 'missing' }, /no such file or directory/],
    ]
    const results = await session.callTogether(cases.map(([name, args]) => ({ name, args })))
    for (const [index, [, args, reason]] of cases.entries())
      expect(results[index], JSON.stringify(args)).toMatch(reason)
    expect(session.editor.permissionRequests()).toEqual([])
  })

  test('results are bounded, and say what is missing', async () => {
    await using session = await openToolSession(capabilities)
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`f/${at}.txt`, 'match\nmatch\n']))
    await writeFiles(session.cwd, { ...many, 'long.txt': `${'x'.repeat(2_000_000)}match\n` })
    expect(await session.call('find_files', { pattern: '*.txt', path: 'f' })).toContain(
      '[250 files, newest first]\n[The 50 oldest are not shown.',
    )
    const some = await session.call('search_files', { pattern: 'match', path: 'f' })
    expect(some.match(/^\d+: match$/gm)).toHaveLength(100)
    expect(some).toContain('[The first 100 matches that were found. There may be more')
    const long = await session.call('search_files', { pattern: 'match', path: 'long.txt' })
    expect(long.length).toBeLessThan(1_000)
    expect(long).toContain('(match at column 2000001)')
  })
})
