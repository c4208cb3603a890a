import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findPaths,
  searchText,
  type SearchJob,
} from '../../packages/agent-api/src/workspace/search/ripgrep.ts'
import { makeFifo } from '../support/make-fifo.ts'
import { openTempDir, type TempDir } from '../support/temp-dir.ts'

/** Files by path. Each is older than the next. */
const files: Readonly<Record<string, string | Buffer>> = {
  '.git/x.ts': 'hello',
  '.gitignore': 'node_modules\n*.log\n/only-top\nbuild/\n!important.log\ndoc/*.txt\n**/deep/x.ts\n\\#yes\n',
  'a/.ignore': '!keep.log\nsecret-dir\n',
  'a/b/.gitignore': '!x.log\nf2.ts\n',
  'a/b/f.ts': 'one\nhello world\nthree\nfour\nhello\n',
  'a/b/f2.ts': 'hello',
  'a/b/x.log': 'hello',
  'a/keep.log': 'hello',
  'a/x.log': 'hello',
  'important.log': 'hello',
  'node_modules/z.ts': 'hello',
  'only-top': 'hello',
  'a/only-top': 'hello',
  'build/o.ts': 'hello',
  'a/build': 'hello',
  'doc/a.txt': 'hello',
  'doc/x/a.txt': 'hello',
  'q/deep/x.ts': 'hello',
  'a/secret-dir/u.ts': 'hello',
  '#yes': 'hello',
  '#no': 'hello',
  '.hidden/h.ts': 'hello',
  bin: Buffer.from('hel\0lo hello\nhello\n'),
  'crlf.txt': 'x hello\r\nhello there\r\nbye\r\n',
  'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('wide hello\r\nzwei\n', 'utf16le')]),
  'bom.txt': '\ufeffhello bom\n',
  'bad.txt': Buffer.from([0xff, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 10]),
  'long.js': `${'x'.repeat(5_000)}hello${'y'.repeat(3_000)}\nshort hello\n`,
  '.env': 'KEY=hello\n',
  empty: '',
  'ünï.ts': 'grüße hello ÄÖ\n',
  'new\nline.ts': 'hello',
  'space file.ts': 'a\nb\nc\nhello\nd\ne\nf\nhello\ng',
}

let dir: TempDir

beforeAll(async () => {
  dir = await openTempDir()
  const begin = Date.now() / 1_000 - 10_000
  for (const [index, [path, content]] of Object.entries(files).entries()) {
    const file = join(dir.path, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    await utimes(file, begin + index, begin + index)
  }
  await symlink('.', join(dir.path, 'loop'))
  await symlink('a/b/f.ts', join(dir.path, 'link.ts'))
  await symlink('nowhere', join(dir.path, 'dangling'))
})
afterAll(() => dir[Symbol.asyncDispose]())

const { signal } = new AbortController()

const searchJob = (over: Partial<SearchJob>): SearchJob => ({
  folder: dir.path,
  file: undefined,
  pattern: 'hello',
  isLiteral: false,
  ignoresCase: false,
  context: 0,
  glob: undefined,
  matchesMax: 100,
  includesSecrets: false,
  ownFiles: [],
  msMax: 20_000,
  ...over,
})

async function found(over: Partial<SearchJob>) {
  const { lines, ...rest } = await searchText(searchJob(over), signal)
  return {
    lines: lines.map(
      ({ path, line, column, text }) => `${path}:${line}${column === undefined ? '-' : ':'}${text}`,
    ),
    ...rest,
  }
}

test.each<[Partial<SearchJob>, matches: number]>([
  [{}, 21],
  [{ context: 1 }, 21],
  [{ context: 3 }, 21],
  [{ pattern: '^hello$' }, 12],
  [{ pattern: 'hello$' }, 16],
  [{ pattern: 'HELLO', ignoresCase: true }, 21],
  [{ pattern: 'HELLO' }, 0],
  [{ pattern: 'h.llo', isLiteral: true }, 0],
  [{ pattern: 'äö', ignoresCase: true }, 1],
  [{ pattern: 'ÄÖ', isLiteral: true, ignoresCase: true }, 1],
  [{ pattern: String.raw`\bworld\b` }, 1],
  [{ pattern: '(a+)+$' }, 1],
  [{ pattern: '-e' }, 0],
  [{ pattern: '--help' }, 0],
  [{ pattern: 'world|there' }, 2],
  [{ glob: '*.ts' }, 7],
  [{ glob: '**/*.ts' }, 7],
  [{ glob: 'a/**' }, 6],
  [{ glob: '*.{ts,txt}' }, 13],
  [{ glob: 'a/**/*.ts' }, 2],
  [{ glob: '[sü]*.ts' }, 3],
  [{ glob: '*.log' }, 3],
  [{ glob: 'nothing' }, 0],
  [{ file: '.env', includesSecrets: true }, 1],
  [{ file: 'bin' }, 0],
  [{ file: 'a/x.log' }, 1],
])('%j', async (over, matches) => {
  const { lines } = await found(over)
  expect(lines.filter((line) => /^[^:]*:\d+:/s.test(line))).toHaveLength(matches)
})

test('lines are sorted, with context; files with secrets are counted', async () => {
  expect(await found({ glob: '{a/b/f.ts,.env}', context: 1 })).toEqual({
    lines: [
      'a/b/f.ts:1-one',
      'a/b/f.ts:2:hello world',
      'a/b/f.ts:3-three',
      'a/b/f.ts:4-four',
      'a/b/f.ts:5:hello',
    ],
    stoppedBy: undefined,
    unreadable: 0,
    secretFiles: 1,
  })
})

test('in a folder, the rules of the folders above apply', async () => {
  const { lines } = await found({ folder: join(dir.path, 'a') })
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    'b/f.ts',
    'b/f.ts',
    'b/x.log',
    'build',
    'keep.log',
    'only-top',
  ])
})

test('in a folder below one that everybody may write to, the rules from there do not apply', async () => {
  await using outer = await openTempDir()
  const folder = join(outer.path, 'project')
  await mkdir(folder)
  await writeFile(join(folder, 'a.ts'), 'hello')
  await writeFile(join(outer.path, '.ignore'), '*.ts\n')
  expect((await found({ folder })).lines).toEqual([])
  await chmod(outer.path, 0o1777)
  expect((await found({ folder })).lines).toHaveLength(1)
})

test.each([1, 3])('a search stops at %i matches', async (matchesMax) => {
  const { lines, stoppedBy } = await found({ matchesMax, file: 'space file.ts', pattern: '[a-h]' })
  expect([lines.length, stoppedBy]).toEqual([matchesMax, 'limit'])
})

test.each(['(', '[', 'a{2,1}', '*a', '(?=a)', String.raw`(a)\1`, String.raw`\p{Nonsense}`])(
  'the pattern %s is refused',
  async (pattern) => {
    await expect(found({ pattern })).rejects.toMatchObject({
      code: 'search.bad_pattern',
      message: expect.stringContaining('set "literal"'),
    })
  },
)

test.each<[glob: string, total: number, newest: readonly string[]]>([
  ['*', 23, ['space file.ts', 'new\nline.ts', 'ünï.ts', 'empty', '.env']],
  ['*.ts', 5, ['space file.ts', 'new\nline.ts', 'ünï.ts', '.hidden/h.ts', 'a/b/f.ts']],
  ['**/*.ts', 5, ['space file.ts', 'new\nline.ts', 'ünï.ts', '.hidden/h.ts', 'a/b/f.ts']],
  ['a/**', 7, ['a/build', 'a/only-top', 'a/keep.log', 'a/b/x.log', 'a/b/f.ts']],
  ['a/*', 4, ['a/build', 'a/only-top', 'a/keep.log', 'a/.ignore']],
  ['{a,doc}/**/*.t[sx]*', 2, ['doc/x/a.txt', 'a/b/f.ts']],
  ['?.ts', 2, ['.hidden/h.ts', 'a/b/f.ts']],
  ['/a/b/f.ts', 1, ['a/b/f.ts']],
  ['a/', 7, ['a/build', 'a/only-top', 'a/keep.log', 'a/b/x.log', 'a/b/f.ts']],
  ['.*', 4, ['.env', 'a/b/.gitignore', 'a/.ignore', '.gitignore']],
  ['.hidden/**', 1, ['.hidden/h.ts']],
  ['none', 0, []],
])('files that match %s, newest first', async (glob, total, newest) => {
  const job = { folder: dir.path, glob, filesMax: 5, msMax: 20_000 }
  expect(await findPaths(job, signal)).toEqual({ paths: newest, total, stoppedBy: undefined, unreadable: 0 })
})

test.skipIf(process.getuid?.() === 0)('folders that cannot be read are counted', async () => {
  await using other = await openTempDir()
  await mkdir(join(other.path, 'closed'))
  await chmod(join(other.path, 'closed'), 0)
  expect((await found({ folder: other.path })).unreadable).toBe(1)
  await chmod(join(other.path, 'closed'), 0o700)
})

test('a search ends when it is cancelled', async () => {
  const controller = new AbortController()
  const job = searchJob({ folder: '/usr', pattern: 'nothing-like-this' })
  const searching = searchText(job, controller.signal)
  controller.abort()
  await expect(searching).rejects.toThrow(/abort/)
})

test('a search ends when its time is over, with what it has', async () => {
  const { stoppedBy } = await found({ folder: '/usr', pattern: '([a-z]+[0-9]*)+x{50}', msMax: 1 })
  expect(stoppedBy).toBe('time')
})

test('a search never waits for a pattern', async () => {
  await using other = await openTempDir()
  await writeFile(join(other.path, 'a.txt'), `${'a'.repeat(100_000)}!\n`.repeat(5))
  expect((await found({ folder: other.path, pattern: '^(a+)+$' })).lines).toEqual([])
})

test.skipIf(process.platform === 'win32')(
  'a cancelled search ends at once, also where it waits for a file',
  async () => {
    await using pipes = await openTempDir()
    makeFifo(join(pipes.path, 'pipe'))
    const stop = new AbortController()
    const job = {
      folder: pipes.path,
      file: 'pipe',
      pattern: 'x',
      isLiteral: true,
      ignoresCase: false,
      context: 0,
    }
    const limits = { glob: undefined, matchesMax: 10, ownFiles: [], includesSecrets: false, msMax: 60_000 }
    const found = searchText({ ...job, ...limits }, stop.signal)
    setImmediate(() => stop.abort(new Error('cancelled')))
    await expect(found).rejects.toThrow('cancelled')
  },
)
