import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findInJavascript, searchInJavascript } from '../../packages/agent-api/src/workspace/search/search-in-javascript.ts'
import type { FindJob, SearchJob } from '../../packages/agent-api/src/workspace/search/search-job.ts'
import { javascriptSearcher, loadSearcher, type Searcher } from '../../packages/agent-api/src/workspace/search/searcher.ts'
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
let ripgrep: Searcher

beforeAll(async () => {
  dir = await openTempDir()
  ripgrep = await loadSearcher()
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

/** As the thread of the search runs it. */
const inJavascript: Searcher = {
  search: async (job) => searchInJavascript(job),
  find: async (job) => findInJavascript(job),
}

const searchJob = (over: Partial<SearchJob>): SearchJob => ({
  type: 'search',
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

/** Columns are only shown for very long lines, and count invalid bytes differently. */
async function found(searcher: Searcher, job: SearchJob) {
  const { lines, ...rest } = await searcher.search(job, signal)
  return { lines: lines.map(({ path, line, column, text }) => `${path}:${line}${column === undefined ? '-' : ':'}${text}`), ...rest }
}

test('ripgrep is installed', () => expect(ripgrep).not.toBe(javascriptSearcher))

describe('ripgrep and the search in JavaScript find the same', () => {
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
    const job = searchJob(over)
    const [one, other] = await Promise.all([found(ripgrep, job), found(inJavascript, job)])
    expect(one).toEqual(other)
    expect(one.lines.filter((line) => /^[^:]*:\d+:/s.test(line)).length).toBe(matches)
  })

  test('in a folder, with the rules of the folders above', async () => {
    const job = searchJob({ folder: join(dir.path, 'a') })
    const one = await found(ripgrep, job)
    expect(one).toEqual(await found(inJavascript, job))
    expect(one.lines.map((line) => line.split(':')[0])).toEqual(['b/f.ts', 'b/f.ts', 'b/x.log', 'build', 'keep.log', 'only-top'])
  })

  test('in a folder below one that everybody may write to, without the rules from there', async () => {
    await using outer = await openTempDir()
    const folder = join(outer.path, 'project')
    await mkdir(folder)
    await writeFile(join(folder, 'a.ts'), 'hello')
    await writeFile(join(outer.path, '.ignore'), '*.ts\n')
    const job = searchJob({ folder })
    for (const searcher of [ripgrep, inJavascript]) expect((await found(searcher, job)).lines).toEqual([])
    await chmod(outer.path, 0o1777)
    for (const searcher of [ripgrep, inJavascript]) expect((await found(searcher, job)).lines).toHaveLength(1)
  })

  test.each([1, 3])('and stop at %i matches', async (matchesMax) => {
    const job = searchJob({ matchesMax, file: 'space file.ts', pattern: '[a-h]' })
    const [one, other] = await Promise.all([found(ripgrep, job), found(inJavascript, job)])
    expect(one).toEqual(other)
    expect([one.lines.length, one.stoppedBy]).toEqual([matchesMax, 'limit'])
  })

  test.each(['(', '[', 'a{2,1}', '*a', '(?=a)', String.raw`(a)\1`, String.raw`\p{Nonsense}`])('and refuse %s', async (pattern) => {
    const expected = { code: expect.stringMatching(/^search\./), message: expect.stringContaining('set "literal"') }
    await expect(ripgrep.search(searchJob({ pattern }), signal)).rejects.toMatchObject(expected)
    await expect(inJavascript.search(searchJob({ pattern }), signal)).rejects.toMatchObject(expected)
  })

  test.each(['*', '*.ts', '**/*.ts', 'a/**', 'a/*', '{a,doc}/**/*.t[sx]*', '?.ts', '/a/b/f.ts', 'a/', '.*', '.hidden/**', 'none'])(
    'files that match %s',
    async (glob) => {
      const job: FindJob = { type: 'find', folder: dir.path, glob, filesMax: 5, msMax: 20_000 }
      const one = await ripgrep.find(job, signal)
      expect(one).toEqual(await inJavascript.find(job, signal))
      const names = Object.keys(files)
      expect(one.paths).toEqual(one.paths.toSorted((a, b) => names.indexOf(b) - names.indexOf(a)))
    },
  )

  test.skipIf(process.getuid?.() === 0)('and count what cannot be read', async () => {
    await using other = await openTempDir()
    await mkdir(join(other.path, 'closed'))
    await chmod(join(other.path, 'closed'), 0)
    const job = searchJob({ folder: other.path })
    expect((await ripgrep.search(job, signal)).unreadable).toBe(1)
    expect((await inJavascript.search(job, signal)).unreadable).toBe(1)
    await chmod(join(other.path, 'closed'), 0o700)
  })
})

describe.each<[string, () => Searcher]>([
  ['ripgrep', () => ripgrep],
  ['the search in JavaScript', () => javascriptSearcher],
])('%s', (_, searcher) => {
  test('finds text and files, and says why it cannot search', async () => {
    expect((await found(searcher(), searchJob({ glob: '*.log' }))).lines.toSorted()).toEqual([
      'a/b/x.log:1:hello',
      'a/keep.log:1:hello',
      'important.log:1:hello',
    ])
    const { paths } = await searcher().find({ type: 'find', folder: dir.path, glob: '*.log', filesMax: 5, msMax: 20_000 }, signal)
    expect(paths).toEqual(['important.log', 'a/keep.log', 'a/b/x.log'])
    await expect(searcher().search(searchJob({ pattern: '(' }), signal)).rejects.toMatchObject({
      code: expect.stringMatching(/^search\./),
      message: expect.stringContaining('set "literal"'),
    })
  })

  test('ends when it is cancelled', async () => {
    const controller = new AbortController()
    const searching = searcher().search(searchJob({ folder: '/usr', pattern: 'nothing-like-this' }), controller.signal)
    controller.abort()
    await expect(searching).rejects.toThrow(/abort/)
  })

  test('ends when its time is over, with what it has', async () => {
    const found = await searcher().search(searchJob({ folder: '/usr', pattern: '([a-z]+[0-9]*)+x{50}', msMax: 1 }), signal)
    expect(found.stoppedBy).toBe('time')
  })

  test('never waits for a pattern', async () => {
    await using other = await openTempDir()
    await writeFile(join(other.path, 'a.txt'), `${'a'.repeat(100_000)}!\n`.repeat(5))
    expect((await searcher().search(searchJob({ folder: other.path, pattern: '^(a+)+$' }), signal)).lines).toEqual([])
  })
})
