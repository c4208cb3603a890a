import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openState } from '@ostler/agent-api/internal'
import { describe, expect, it, test } from 'vitest'
import { neverAnswer, selectPermission } from '../support/acp-harness.ts'
import { makeFifo } from '../support/make-fifo.ts'
import { until } from '../support/processes.ts'
import { canMount, mountDisk, unmountDisk } from '../support/small-disk.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { editors, openToolSession, type ToolSession } from '../support/tool-session.ts'

const files = { fs: { readTextFile: true, writeTextFile: true } }
const updatesOf = ({ editor, sessionId }: ToolSession) => editor.updates(sessionId)
const diffsOf = (session: ToolSession) =>
  updatesOf(session)
    .flatMap((update) => (update.sessionUpdate === 'tool_call_update' ? (update.content ?? []) : []))
    .filter(({ type }) => type === 'diff')

describe.each(editors)('in an editor with %s', (_, capabilities) => {
  it('read_file numbers lines, and says what was left out and how to read it', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\r\ntwo\nthree\n')
    expect(await session.call('read_file', { path: 'a.txt' })).toBe('1\tone\n2\ttwo\n3\tthree')
    expect(await session.call('read_file', { path, line: 2, limit: 1 })).toBe(
      '2\ttwo\n[lines 2-2 of 3; go on with "line": 3]',
    )
    expect(await session.call('read_file', { path, line: 3 })).toBe('3\tthree\n[lines 3-3 of 3]')
    expect(await session.call('read_file', { path, line: 4 })).toBe(
      'a.txt has 3 lines: line 4 is after its end.',
    )
    await writeFile(path, '')
    expect(await session.call('read_file', { path })).toBe('[a.txt is empty]')
    await writeFile(path, 'x\n'.repeat(5_000))
    expect(await session.call('read_file', { path })).toMatch(
      /\n2000\tx\n\[lines 1-2000 of 5000; go on with "line": 2001\]$/,
    )
    expect(session.editor.permissionRequests()).toEqual([])
  })

  it('read_file names its lines in the title and the locations', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\ntwo\nthree\n')
    await session.call('read_file', { path: 'a.txt', line: 2, limit: 2 })
    expect(updatesOf(session)).toContainEqual(
      expect.objectContaining({
        sessionUpdate: 'tool_call',
        kind: 'read',
        title: 'Read a.txt (lines 2-3)',
        locations: [{ path, line: 2 }],
      }),
    )
  })

  it('read_file shows images and documents to the model', async () => {
    await using session = await openToolSession(capabilities)
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    await writeFile(join(session.cwd, 'dot.png'), png)
    await writeFile(join(session.cwd, 'paper.pdf'), '%PDF-1.4\n\xff\xff\n%%EOF', 'latin1')
    await session.call('read_file', { path: 'dot.png' })
    expect(JSON.stringify(session.model.requests.at(-1)?.body)).toContain(png.toString('base64'))
    await session.call('read_file', { path: 'paper.pdf' })
    expect(JSON.stringify(session.model.requests.at(-1)?.body)).toContain('application/pdf')
  })

  it('write_file creates directories, and keeps the line endings, byte order mark and mode of a file', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'src', 'deep', 'new.sh')
    expect(await session.call('write_file', { path: 'src/deep/new.sh', content: 'one\ntwo\n' })).toContain(
      'Created src/deep/new.sh (2 lines).',
    )
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n')
    expect(diffsOf(session)).toEqual([{ type: 'diff', path, oldText: null, newText: 'one\ntwo\n' }])
    await writeFile(path, '\uFEFFone\r\ntwo\r\n')
    await chmod(path, 0o750)
    await session.call('read_file', { path })
    expect(await session.call('write_file', { path, content: 'three\nfour\n' })).toContain(
      'Wrote src/deep/new.sh',
    )
    expect(await readFile(path, 'utf8')).toBe('\uFEFFthree\r\nfour\r\n')
    expect((await stat(path)).mode & 0o777).toBe(0o750)
    expect(await readdir(dirname(path))).toEqual(['new.sh'])
  })

  it('edit_file applies all edits, keeps CRLF and the byte order mark, and shows the diff before it asks and after it is done', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, '\uFEFFone\r\ntwo\r\nthree\r\n')
    const edits = [
      { old_text: 'one\ntwo', new_text: '1\n2\n2b' },
      { old_text: 'three', new_text: '$& 3' },
    ]
    expect(await session.call('edit_file', { path: 'a.txt', edits })).toMatch(
      /Edited a\.txt at lines 1, 4\.\nNot found exactly, but the line endings differ/,
    )
    expect(await readFile(path, 'utf8')).toBe('\uFEFF1\r\n2\r\n2b\r\n$& 3\r\n')
    const [question] = session.editor.permissionRequests()
    const diff = {
      type: 'diff',
      path,
      oldText: 'one\r\ntwo\r\nthree\r\n',
      newText: '1\r\n2\r\n2b\r\n$& 3\r\n',
    }
    expect(question?.toolCall).toMatchObject({
      title: 'Edit a.txt (2 places)',
      kind: 'edit',
      locations: [
        { path, line: 1 },
        { path, line: 4 },
      ],
    })
    expect(question?.toolCall.content).toContainEqual(diff)
    expect(diffsOf(session)).toEqual([diff])
  })

  it('edit_file changes nothing if one edit does not fit, and nobody is asked', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\ntwo\ntwo\n')
    const one = { old_text: 'one', new_text: '1' }
    expect(
      await session.call('edit_file', { path, edits: [one, { old_text: 'two', new_text: '2' }] }),
    ).toMatch(/^Nothing was changed: .*at lines 2, 3/)
    expect(
      await session.call('edit_file', { path, edits: [one, { old_text: 'twoo', new_text: '2' }] }),
    ).toMatch(/^Nothing was changed: old_text of edit 2/)
    expect(await session.call('edit_file', { path: 'none.txt', edits: [one] })).toMatch(
      /there is no file none\.txt\. To create it, use write_file/,
    )
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\ntwo\n')
    expect(session.editor.permissionRequests()).toEqual([])
    expect(
      await session.call('edit_file', {
        path,
        edits: [{ old_text: 'two', new_text: '2', replace_all: true }],
      }),
    ).toContain('lines 2, 3')
    expect(await readFile(path, 'utf8')).toBe('one\n2\n2\n')
    const all = async (lines: number) => {
      await writeFile(join(session.cwd, `${lines}.txt`), 'two\n'.repeat(lines))
      return session.call('edit_file', {
        path: `${lines}.txt`,
        edits: [{ old_text: 'two', new_text: '2', replace_all: true }],
      })
    }
    expect(await all(20)).toMatch(/ 19, 20\.$/m)
    expect(await all(21)).toMatch(/ 19, 20 and 1 more\.$/m)
  })

  it('five edits of one file in one step all survive', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    const names = ['first', 'second', 'third', 'fourth', 'fifth']
    await writeFile(path, names.join('\n'))
    await session.callTogether(
      names.map((name) => ({
        name: 'edit_file',
        args: { path, edits: [{ old_text: name, new_text: name.toUpperCase().repeat(3) }] },
      })),
    )
    expect(await readFile(path, 'utf8')).toBe(names.map((name) => name.toUpperCase().repeat(3)).join('\n'))
  })

  it('a file that someone else has changed since it was read is not overwritten', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\ntwo\n')
    await session.call('read_file', { path })
    await writeFile(path, 'one\ntwo\nthree\n')
    const stale =
      /^Nothing was written to a\.txt\. It has changed since you last read it: read it again first\.$/
    expect(await session.call('edit_file', { path, edits: [{ old_text: 'one', new_text: '1' }] })).toMatch(
      stale,
    )
    expect(await session.call('write_file', { path, content: 'mine' })).toMatch(stale)
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\n')
    // A change that cannot be written causes no question.
    expect(session.editor.permissionRequests()).toEqual([])
    await session.call('read_file', { path })
    expect(await session.call('edit_file', { path, edits: [{ old_text: 'one', new_text: '1' }] })).toContain(
      'Edited',
    )
    // The session knows the version that it wrote.
    expect(await session.call('edit_file', { path, edits: [{ old_text: 'two', new_text: '2' }] })).toContain(
      'Edited',
    )
    expect(await readFile(path, 'utf8')).toBe('1\n2\nthree\n')
  })

  it('a version that was read in a prompt that counts as not sent is not known', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\n')
    await session.call('read_file', { path })
    await writeFile(path, 'one\ntwo\n')
    await session.callUnsent('read_file', { path })
    expect(await session.call('write_file', { path, content: 'mine' })).toContain(
      'It has changed since you last read it',
    )
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n')
  })

  it('a file that changes while the person decides is not overwritten', async () => {
    await using dir = await openTempDir()
    const path = join(dir.path, 'a.txt')
    await writeFile(path, 'one\n')
    await using session = await openToolSession(capabilities, {
      additionalDirectories: [dir.path],
      onPermission: async (request) => {
        await writeFile(path, 'something else\n')
        return selectPermission('allow_once')(request)
      },
    })
    expect(await session.call('write_file', { path, content: 'mine' })).toMatch(/It has changed since/)
    expect(await readFile(path, 'utf8')).toBe('something else\n')
  })

  it('line endings that were converted since the file was read are not overwritten', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\r\ntwo\nthree\n')
    await session.call('read_file', { path })
    await writeFile(path, 'one\r\ntwo\r\nthree\r\n')
    expect(await session.call('write_file', { path, content: 'one\ntwo\n' })).toMatch(
      /^Nothing was written to a\.txt\. It has changed/,
    )
    expect(await readFile(path, 'utf8')).toBe('one\r\ntwo\r\nthree\r\n')
  })

  it('nobody is asked about a file that changed while another question was open', async () => {
    await using dir = await openTempDir()
    const paths = ['first.txt', 'second.txt'].map((name) => join(dir.path, name))
    for (const path of paths) await writeFile(path, 'one\n')
    using history = openState()
    await using session = await openToolSession(capabilities, {
      agent: { history },
      additionalDirectories: [dir.path],
      onPermission: async (request) => {
        const shown = () => updatesOf(session).filter(({ sessionUpdate }) => sessionUpdate === 'tool_call')
        await until('both calls', () => shown().length === 2)
        // The other call is recorded, then it waits for this question.
        await until('both records', () => history.calls.list({ limit: 9 }).length === 2)
        const other = paths.find((path) => !JSON.stringify(request).includes(path))
        await writeFile(other!, 'something else\n')
        return selectPermission('allow_once')(request)
      },
    })
    const results = await session.callTogether(
      paths.map((path) => ({
        name: 'edit_file',
        args: { path, edits: [{ old_text: 'one', new_text: '1' }] },
      })),
    )
    expect(session.editor.permissionRequests()).toHaveLength(1)
    // Either question may come first.
    expect(results.toSorted()).toEqual([
      expect.stringContaining('Edited'),
      expect.stringMatching(
        /^Nothing was written to .*It has changed since you last read it: read it again first\.$/,
      ),
    ])
    const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
    expect(texts.toSorted()).toEqual(['1\n', 'something else\n'])
  })

  it('a file that vanishes while the person decides is not created again', async () => {
    await using dir = await openTempDir()
    const path = join(dir.path, 'a.txt')
    await writeFile(path, 'one\n')
    await using session = await openToolSession(capabilities, {
      additionalDirectories: [dir.path],
      onPermission: async (request) => {
        await rm(path)
        return selectPermission('allow_once')(request)
      },
    })
    expect(await session.call('edit_file', { path, edits: [{ old_text: 'one', new_text: '1' }] })).toMatch(
      /It was deleted since you last read it/,
    )
    expect(await readdir(dir.path)).toEqual([])
  })

  it('a file that appears while the person decides is not replaced', async () => {
    await using dir = await openTempDir()
    const path = join(dir.path, 'a.txt')
    await using session = await openToolSession(capabilities, {
      additionalDirectories: [dir.path],
      onPermission: async (request) => {
        await writeFile(path, 'theirs\n')
        return selectPermission('allow_once')(request)
      },
    })
    expect(await session.call('write_file', { path, content: 'mine\n' })).toMatch(
      /It was created by someone else since/,
    )
    expect(await readFile(path, 'utf8')).toBe('theirs\n')
  })

  it.runIf(canMount)('a full disk leaves the old file, and is explained to the model', async () => {
    await using dir = await openTempDir()
    mountDisk(dir.path, '1m')
    try {
      const path = join(dir.path, 'a.txt')
      await writeFile(path, 'old\n')
      await using session = await openToolSession(capabilities, { additionalDirectories: [dir.path] })
      await writeFile(join(dir.path, 'filler'), Buffer.alloc(1_000 * 1024)).catch(() => undefined)
      expect(await session.call('write_file', { path, content: 'x'.repeat(200_000) })).toMatch(
        /cannot be written: the disk is full|ENOSPC/,
      )
      if (!('fs' in capabilities)) expect(await readFile(path, 'utf8')).toBe('old\n')
      expect((await readdir(dir.path)).toSorted()).toEqual(['a.txt', 'filler'])
    } finally {
      unmountDisk(dir.path)
    }
  })

  it.skipIf(process.getuid?.() === 0)('a file without permissions is explained to the model', async () => {
    await using session = await openToolSession(capabilities)
    await writeFile(join(session.cwd, 'a.txt'), 'one\n')
    await chmod(join(session.cwd, 'a.txt'), 0)
    expect(await session.call('read_file', { path: 'a.txt' })).toBe(
      'a.txt cannot be read: permission denied.',
    )
  })

  it('a link is written through, and its target is named', async () => {
    await using session = await openToolSession(capabilities)
    await mkdir(join(session.cwd, 'real'))
    const target = join(session.cwd, 'real', 'a.txt')
    await writeFile(target, 'one\n')
    await symlink(target, join(session.cwd, 'link.txt'))
    expect(
      await session.call('edit_file', { path: 'link.txt', edits: [{ old_text: 'one', new_text: '1' }] }),
    ).toContain('Edited real/a.txt')
    expect((await lstat(join(session.cwd, 'link.txt'))).isSymbolicLink()).toBe(true)
    expect(await readFile(target, 'utf8')).toBe('1\n')
    // A link to a file that does not exist yet.
    await symlink(join(session.cwd, 'real', 'new.txt'), join(session.cwd, 'dangling.txt'))
    expect(await session.call('write_file', { path: 'dangling.txt', content: 'x' })).toContain(
      'Created real/new.txt',
    )
    expect(await readFile(join(session.cwd, 'real', 'new.txt'), 'utf8')).toBe('x')
  })

  it('a refused path outside stays unknown: the model learns nothing about it', async () => {
    await using outside = await openTempDir()
    await using session = await openToolSession(capabilities, {
      onPermission: selectPermission('reject_once'),
    })
    await writeFile(join(outside.path, 'notes.txt'), 'the content of the file\n')
    for (const [name, args] of [
      ['read_file', {}],
      ['edit_file', { edits: [{ old_text: 'the contents', new_text: 'x' }] }],
      ['write_file', { content: 'x' }],
    ] as const) {
      const text = await session.call(name, { path: join(outside.path, 'notes.txt'), ...args })
      expect(text).toContain('did not allow')
      expect(text).not.toContain('content of the file')
    }
    expect(await readFile(join(outside.path, 'notes.txt'), 'utf8')).toBe('the content of the file\n')
  })

  it('a link that leads to another place after the question is not followed', async () => {
    await using outside = await openTempDir()
    await using dir = await openTempDir()
    await writeFile(join(dir.path, 'a.txt'), 'inside\n')
    await writeFile(join(outside.path, 'a.txt'), 'inside\n')
    await mkdir(join(dir.path, 'real'))
    await rename(join(dir.path, 'a.txt'), join(dir.path, 'real', 'a.txt'))
    await symlink(join(dir.path, 'real'), join(dir.path, 'link'))
    await using session = await openToolSession(capabilities, {
      additionalDirectories: [dir.path],
      onPermission: async (request) => {
        await symlink(outside.path, join(dir.path, 'other'))
        await rename(join(dir.path, 'other'), join(dir.path, 'link'))
        return selectPermission('allow_once')(request)
      },
    })
    expect(await session.call('write_file', { path: join(dir.path, 'link/a.txt'), content: 'x' })).toMatch(
      /^Nothing was done: .*leads to another file/,
    )
    expect(await readFile(join(outside.path, 'a.txt'), 'utf8')).toBe('inside\n')
    expect(await readFile(join(dir.path, 'real', 'a.txt'), 'utf8')).toBe('inside\n')
  })

  it('everything that is not text is refused, and the error says what it is', async () => {
    await using session = await openToolSession(capabilities)
    const at = (name: string) => join(session.cwd, name)
    await mkdir(at('folder'))
    makeFifo(at('pipe'))
    await writeFile(at('archive'), Buffer.from('504b030414000000', 'hex'))
    await writeFile(at('latin1.txt'), Buffer.from('caf\xe9\n', 'latin1'))
    await writeFile(at('data'), Buffer.from([1, 0, 2, 255]))
    await symlink('loop', at('loop'))
    const cases: [string, RegExp][] = [
      ['folder', /^folder is a directory\. Use list_directory/],
      ['pipe', /^pipe is a named pipe, not a file/],
      ['archive', /^archive is a ZIP archive.* of 8 bytes, not text/],
      ['data', /^data is a binary file of 4 bytes, not text/],
      [
        'latin1.txt',
        /^latin1\.txt cannot be read as text: it is not valid UTF-8\. Ostler reads UTF-8, and UTF-16 with/,
      ],
      ['loop', /^The path .*loop.* cannot be used: its symbolic links form a loop/],
      ['a\0b', /contains a NUL character/],
      ['none.txt', /^There is no file none\.txt/],
      ['x'.repeat(300), /too long/],
    ]
    for (const [path, expected] of cases) {
      expect(await session.call('read_file', { path })).toMatch(expected)
      if (path === 'none.txt') continue
      expect(await session.call('edit_file', { path, edits: [{ old_text: 'a', new_text: 'b' }] })).toMatch(
        expected,
      )
    }
    expect(
      session.services.calls.filter((method) => method.startsWith('fs/') && method !== 'fs/read_text_file'),
    ).toEqual([])
  })

  it('UTF-16 with a byte order mark is read and kept', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, Buffer.from('\uFEFFZürich\r\n東京\r\n', 'utf16le'))
    expect(await session.call('read_file', { path })).toBe('1\tZürich\n2\t東京')
    await session.call('edit_file', { path, edits: [{ old_text: 'Zürich', new_text: 'Genève' }] })
    expect(await readFile(path)).toEqual(Buffer.from('\uFEFFGenève\r\n東京\r\n', 'utf16le'))
    await writeFile(path, Buffer.from('\uFEFFa\n', 'utf16le').swap16())
    expect(await session.call('read_file', { path })).toBe('1\ta')
  })

  it('a file of 200 MB is read in pieces, and not changed', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'huge.log')
    await writeFile(path, `first\nsecond\n${'more\n'.repeat(2_000)}`)
    await truncate(path, 200 * 1024 * 1024)
    const before = process.memoryUsage().rss
    expect(await session.call('read_file', { path, limit: 2 })).toBe(
      '1\tfirst\n2\tsecond\n[lines 1-2 of 2003; go on with "line": 3]',
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
    expect(await session.call('edit_file', { path, edits: [{ old_text: 'first', new_text: 'x' }] })).toMatch(
      /^huge\.log has 200 MiB; files up to 2 MiB/,
    )
    expect(session.services.calls).toEqual([])
  })

  it('a device is not read', async () => {
    await using session = await openToolSession(capabilities)
    expect(await session.call('read_file', { path: '/dev/zero' })).toMatch(
      /^\/dev\/zero is a device, not a file/,
    )
    expect(await session.call('write_file', { path: '/dev/full', content: 'x' })).toMatch(
      /is a device, not a file/,
    )
  })

  it('a file without a size is read', async () => {
    await using session = await openToolSession(capabilities)
    expect(await session.call('read_file', { path: '/proc/self/status', limit: 1 })).toMatch(/^1\tName:/)
  })

  it('a content that could not be read again is not written', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\n')
    expect(await session.call('write_file', { path, content: 'a\0b' })).toMatch(
      /^Nothing was written: .*NUL character/,
    )
    expect(await session.call('edit_file', { path, edits: [{ old_text: 'one', new_text: '\0' }] })).toMatch(
      /^Nothing was changed: .*NUL character/,
    )
    await writeFile(path, '🎉\n')
    await session.call('read_file', { path })
    // JSON can name one half of a character.
    expect(
      await session.call('edit_file', { path, edits: [{ old_text: '🎉'.slice(0, 1), new_text: '' }] }),
    ).toMatch(/^Nothing was changed: /)
    expect(await readFile(path, 'utf8')).toBe('🎉\n')
  })

  it('a read-only file is not written', async () => {
    await using session = await openToolSession(capabilities)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\n')
    await chmod(path, 0o444)
    expect(await session.call('write_file', { path, content: 'x' })).toMatch(/^a\.txt is read-only/)
    expect(await readFile(path, 'utf8')).toBe('one\n')
  })
})

describe('directories, which an editor with files does not list', () => {
  it('list_directory shows a tree, and counts what Git ignores', async () => {
    await using session = await openToolSession(files)
    const at = (...names: string[]) => join(session.cwd, ...names)
    for (const folder of ['src/deep/deeper', 'node_modules/a', 'build', '.git', 'empty'])
      await mkdir(at(folder), { recursive: true })
    for (const [name, content] of [
      ['src/app.ts', 'x'.repeat(2_048)],
      ['src/deep/one.ts', ''],
      ['src/deep/deeper/two.ts', ''],
      ['build/out.js', ''],
      ['.gitignore', 'build/\n'],
    ] as const)
      await writeFile(at(name), content)
    await symlink('src/app.ts', at('link.ts'))
    const expected = [
      './',
      '  .git/  [not listed: 0 entries]',
      '  build/  [not listed: 1 entry]',
      '  empty/',
      '  node_modules/  [not listed: 1 entry]',
      '  src/',
      '    deep/  [2 entries]',
      '    app.ts  2 KiB',
      '  .gitignore  7 bytes',
      '  link.ts -> src/app.ts',
    ]
    expect(await session.call('list_directory', {})).toBe(expected.join('\n'))
    expect(await session.call('list_directory', { path: 'src', depth: 3 })).toBe(
      [
        'src/',
        '  deep/',
        '    deeper/',
        '      two.ts  0 bytes',
        '    one.ts  0 bytes',
        '  app.ts  2 KiB',
      ].join('\n'),
    )
    expect(await session.call('list_directory', { path: 'build' })).toBe('build/\n  out.js  0 bytes')
    expect(await session.call('list_directory', { path: 'empty' })).toBe('empty/\n[empty]')
    expect(await session.call('list_directory', { path: 'src/app.ts' })).toBe(
      'src/app.ts is a file. Use read_file to read it.',
    )
    expect(await session.call('list_directory', { path: 'none' })).toBe('There is no directory none.')
    expect(session.editor.permissionRequests()).toEqual([])
    expect(updatesOf(session)).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'tool_call', kind: 'read', title: 'List src' }),
    )
  })

  it('a folder of 2,000 files is listed up to a limit, and the result says so', async () => {
    await using session = await openToolSession(files)
    await mkdir(join(session.cwd, 'many'))
    for (let index = 0; index < 2_000; index++) writeFileSync(join(session.cwd, 'many', `${index}.txt`), '')
    expect(await session.call('list_directory', {})).toMatch(
      /^\.\/\n {2}many\/\n {4}0\.txt[^]*\n {4}\[1900 more entries\]$/,
    )
    const all = await session.call('list_directory', { path: 'many' })
    expect(all.split('\n')).toHaveLength(1_000 + 3)
    expect(all).toMatch(
      /\n {2}\[1000 more entries\]\n\[at most 1000 entries are listed: name a directory, or use find_files\]$/,
    )
  })

  it('a directory outside needs approval before anything in it is listed', async () => {
    await using outside = await openTempDir()
    await writeFile(join(outside.path, 'secret-name'), '')
    await using session = await openToolSession(files, { onPermission: selectPermission('reject_once') })
    expect(await session.call('list_directory', { path: outside.path })).not.toContain('secret-name')
    expect(session.editor.permissionRequests()).toHaveLength(1)
  })
})

describe('an editor with files', () => {
  it('gives its unsaved changes, and gets what is written', async () => {
    await using session = await openToolSession(files)
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'saved\n')
    session.services.unsaved.set(path, 'unsaved\n')
    expect(await session.call('read_file', { path })).toBe('1\tunsaved')
    expect(
      await session.call('edit_file', { path, edits: [{ old_text: 'unsaved', new_text: 'edited' }] }),
    ).toContain('Edited')
    expect(session.services.calls).toContain('fs/write_text_file')
    expect(await readFile(path, 'utf8')).toBe('edited\n')
  })

  it('is asked by the name under which it knows the directory', async () => {
    await using dir = await openTempDir()
    await mkdir(join(dir.path, 'real'))
    await writeFile(join(dir.path, 'real', 'a.txt'), 'one\n')
    await symlink(join(dir.path, 'real'), join(dir.path, 'alias'))
    await using session = await openToolSession(files, { additionalDirectories: [join(dir.path, 'alias')] })
    session.services.unsaved.set(join(dir.path, 'alias', 'a.txt'), 'unsaved\n')
    expect(await session.call('read_file', { path: join(dir.path, 'real', 'a.txt') })).toBe('1\tunsaved')
  })

  it('that gives LF for CRLF, and no end of the last line, does not change either by an edit', async () => {
    await using session = await openToolSession(files, {
      handlers: {
        'fs/read_text_file': async (params) => ({
          content: (await readFile((params as { path: string }).path, 'utf8'))
            .replaceAll('\r\n', '\n')
            .replace(/\n$/, ''),
        }),
      },
    })
    const path = join(session.cwd, 'a.txt')
    for (const end of ['\n', '\r\n']) {
      await writeFile(path, `one${end}two${end}`)
      await session.call('read_file', { path })
      expect(
        await session.call('edit_file', { path, edits: [{ old_text: 'one\ntwo', new_text: '1\n2' }] }),
      ).toContain('Edited')
      expect(await readFile(path, 'utf8')).toBe(`1${end}2${end}`)
    }
  })

  it('that formats on saving is reported to the model', async () => {
    await using session = await openToolSession(files, {
      handlers: {
        'fs/write_text_file': async (params) => {
          const { path, content } = params as { path: string; content: string }
          await writeFile(path, `${content}// formatted\n`)
          return {}
        },
      },
    })
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\n')
    expect(await session.call('edit_file', { path, edits: [{ old_text: 'one', new_text: '1' }] })).toMatch(
      /changed the file further when it saved it/,
    )
    expect(
      await session.call('edit_file', { path, edits: [{ old_text: '1\n', new_text: '2\n' }] }),
    ).toContain('Edited')
  })

  it('that cannot write has its unsaved changes protected', async () => {
    await using session = await openToolSession({ fs: { readTextFile: true } })
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'saved\n')
    session.services.unsaved.set(path, 'unsaved\n')
    expect(await session.call('edit_file', { path, edits: [{ old_text: 'saved', new_text: 'x' }] })).toMatch(
      /has unsaved changes in the editor\. Ask the person to save it/,
    )
    session.services.unsaved.set(path, 'saved\n')
    expect(
      await session.call('edit_file', { path, edits: [{ old_text: 'saved', new_text: 'edited' }] }),
    ).toContain('Edited')
    expect(await readFile(path, 'utf8')).toBe('edited\n')
  })

  it('that cannot read gets the new text', async () => {
    await using session = await openToolSession({ fs: { writeTextFile: true } })
    const path = join(session.cwd, 'a.txt')
    await writeFile(path, 'one\n')
    expect(await session.call('edit_file', { path, edits: [{ old_text: 'one', new_text: '1' }] })).toContain(
      'Edited',
    )
    expect(session.services.calls).toEqual(['fs/write_text_file'])
  })

  it('that fails to write is quoted, and leaves no new directories', async () => {
    const handlers = {
      'fs/write_text_file': () => {
        throw new Error('the buffer is locked')
      },
    }
    await using session = await openToolSession(files, { handlers })
    expect(await session.call('write_file', { path: 'new/deep/a.txt', content: 'x' })).toMatch(
      /The editor reported: .*the buffer is locked/,
    )
    expect(await readdir(session.cwd)).toEqual([])
  })

  it('that does not answer does not hold up a cancelled turn, and nothing is written', async () => {
    for (const method of ['fs/read_text_file', 'fs/write_text_file']) {
      await using session = await openToolSession(files, { handlers: { [method]: () => neverAnswer } })
      await writeFile(join(session.cwd, 'a.txt'), 'one\n')
      const called = session.call('edit_file', { path: 'a.txt', edits: [{ old_text: 'one', new_text: '1' }] })
      await session.editor.waitFor((message) => message.method === method)
      session.editor.notify('session/cancel', { sessionId: session.sessionId })
      await expect(called).resolves.toEqual(expect.any(String))
      expect(await readFile(join(session.cwd, 'a.txt'), 'utf8')).toBe('one\n')
    }
  })

  it('that sends more than a message may hold is replaced by the disk', async () => {
    await using session = await openToolSession(files, {
      handlers: { 'fs/read_text_file': () => ({ content: 'x'.repeat(33 * 1024 * 1024) }) },
    })
    await writeFile(join(session.cwd, 'a.txt'), 'one\n')
    expect(await session.call('read_file', { path: 'a.txt' })).toBe('1\tone')
  })
})

test('the diff of a big file shows every change and little else', async () => {
  await using session = await openToolSession({})
  const path = join(session.cwd, 'big.txt')
  const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index}`)
  await writeFile(path, lines.join('\n'))
  const edits = [10, 20_000, 39_999].map((index) => ({
    old_text: `line ${index}\n`.slice(0, index === 39_999 ? -1 : undefined),
    new_text: `changed ${index}\n`,
  }))
  expect(await session.call('edit_file', { path, edits })).toMatch(
    /Edited big\.txt at lines 11, 20001, 40000/,
  )
  const [diff] = diffsOf(session)
  const { oldText = '', newText = '' } = diff?.type === 'diff' ? diff : {}
  for (const index of [10, 20_000, 39_999]) {
    expect(newText).toContain(`changed ${index}\n`)
    expect(oldText).toContain(`line ${index}`)
  }
  expect(newText).toContain('[… 19,982 unchanged lines …]')
  expect(newText.length).toBeLessThan(1_000)
})

test('a secret in a file survives a model that cannot see it', async () => {
  await using session = await openToolSession({}, { agent: { env: { MY_API_KEY: 'q7Kx93mVw2LpZt8R' } } })
  const path = join(session.cwd, 'settings.ini')
  const content = 'name = one\nkey = q7Kx93mVw2LpZt8R\nport = 80\n'
  await writeFile(path, content)
  const read = await session.call('read_file', { path })
  expect(read).toContain('2\tkey = [redacted]')
  expect(
    await session.call('write_file', { path, content: 'name = two\nkey = [redacted]\nport = 80\n' }),
  ).toMatch(/^Nothing was written: .*stands for a secret/)
  const edits = [{ old_text: 'key = [redacted]\nport = 80', new_text: 'key = [redacted]\nport = 81' }]
  expect(await session.call('edit_file', { path, edits })).toMatch(
    /which stands for a secret: choose text without it/,
  )
  expect(await readFile(path, 'utf8')).toBe(content)
  expect(
    await session.call('edit_file', { path, edits: [{ old_text: 'port = 80', new_text: 'port = 81' }] }),
  ).toContain('Edited')
  expect(await readFile(path, 'utf8')).toBe(content.replace('80', '81'))
  // The person sees the change, and the secret stays hidden there as well.
  expect(JSON.stringify(session.editor.received())).not.toContain('q7Kx93mVw2LpZt8R')
})

test('two sessions that edit one file at the same time lose nothing: the second must read it again', async () => {
  await using dir = await openTempDir()
  const path = join(dir.path, 'a.txt')
  await writeFile(path, 'one\ntwo\n')
  await using first = await openToolSession({}, { additionalDirectories: [dir.path] })
  await using second = await openToolSession({}, { additionalDirectories: [dir.path] })
  await first.call('read_file', { path })
  await second.call('read_file', { path })
  const results = await Promise.all([
    first.call('edit_file', { path, edits: [{ old_text: 'one', new_text: '1' }] }),
    second.call('edit_file', { path, edits: [{ old_text: 'two', new_text: '2' }] }),
  ])
  expect(results.filter((text) => text.includes('Edited'))).toHaveLength(1)
  expect(results.filter((text) => text.includes('read it again'))).toHaveLength(1)
  expect(['1\ntwo\n', 'one\n2\n']).toContain(await readFile(path, 'utf8'))
})

test('a cancelled question writes nothing and leaves no temporary file', async () => {
  await using session = await openToolSession({}, { onPermission: () => neverAnswer })
  await writeFile(join(session.cwd, 'a.txt'), 'one\n')
  const called = session.call('edit_file', { path: 'a.txt', edits: [{ old_text: 'one', new_text: '1' }] })
  await until('the question', () => session.editor.permissionRequests().length > 0)
  session.editor.notify('session/cancel', { sessionId: session.sessionId })
  await called
  expect(await readdir(session.cwd)).toEqual(['a.txt'])
  expect(await readFile(join(session.cwd, 'a.txt'), 'utf8')).toBe('one\n')
})
