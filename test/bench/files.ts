import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, statfs, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findFilesTool } from '../../packages/agent-api/src/workspace/search/find-files.ts'
import { searchFilesTool } from '../../packages/agent-api/src/workspace/search/search-files.ts'
import type { Tool } from '../../packages/agent-api/src/messages/tool.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { compare, timed } from './measure.ts'

/** Compares the search tools with ripgrep itself, on a hundred thousand files of one gibibyte. A missed bar is marked, and sets the exit code. */
const folders = 500
const filesPerFolder = 200
const fileBytes = 10 * 1024
const rounds = 7
const barMax = 1.3

const module = createRequire(new URL('../../packages/agent-api/package.json', import.meta.url)).resolve(
  '@vscode/ripgrep',
)
const { rgPath } = (await import(pathToFileURL(module).href)) as { rgPath: string }

const { bavail, bsize } = await statfs(tmpdir())
if (bavail * bsize < 4 * 1024 ** 3) throw new Error(`${tmpdir()} has less than 4 GiB left`)
await using tree = await openTempDir('ostler-bench-')
await writeTree(tree.path)
console.log(
  `${folders * filesPerFolder} files of ${fileBytes / 1024} KiB, median of ${rounds} interleaved runs\n`,
)

const search = searchFilesTool({ roots: [tree.path], ownFiles: [], clean: (text) => text })
const find = findFilesTool({ roots: [tree.path], ownFiles: [] })
await report('search for a rare word', { pattern: 'needle' }, search, ['--hidden', '-n', 'needle'])
await report('search with a pattern', { pattern: String.raw`need\w+\s+in` }, search, [
  '--hidden',
  '-n',
  String.raw`need\w+\s+in`,
])
await report('search in some files', { pattern: 'needle', glob: '*.7.txt' }, search, [
  '--hidden',
  '-n',
  '-g',
  '*.7.txt',
  'needle',
])
await report('find files by name', { pattern: '**/*.77.txt' }, find, [
  '--hidden',
  '--files',
  '--sortr',
  'modified',
])

/** Compared with the tool as a model calls it: from the arguments to the result, including the start of ripgrep. */
async function report(
  name: string,
  args: Readonly<Record<string, unknown>>,
  tool: Tool,
  ripgrepArgs: readonly string[],
): Promise<void> {
  const times = await compare(rounds, {
    ripgrep: () => timed(() => runRipgrep(ripgrepArgs)),
    tool: () =>
      timed(() =>
        tool.execute(args, {
          toolCallId: 'bench',
          signal: new AbortController().signal,
          show: () => undefined,
        }),
      ),
  })
  const ratio = times.tool / times.ripgrep
  const isMissed = ratio > barMax
  if (isMissed) process.exitCode = 1
  console.log(
    `${name.padEnd(24)} ${ms(times.tool)}, ${ratio.toFixed(2)} × ripgrep (at most ${barMax})${isMissed ? '  MISSED' : ''}`,
  )
}

async function runRipgrep(args: readonly string[]): Promise<void> {
  const child = spawn(rgPath, ['--no-config', ...args, './'], {
    cwd: tree.path,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.resume()
  await once(child, 'close')
}

async function writeTree(root: string): Promise<void> {
  const words = 'the quick brown fox jumps over a lazy dog while nobody looks'.split(' ')
  const line = (at: number) =>
    `${at}: ${Array.from({ length: 12 }, (_, index) => words[(at * 7 + index * 3) % words.length]).join(' ')}\n`
  let text = ''
  for (let at = 0; text.length < fileBytes; at++) text += line(at)
  for (let folder = 0; folder < folders; folder++) {
    const path = join(root, `module-${folder % 25}`, `part-${folder}`)
    await mkdir(path, { recursive: true })
    const names = Array.from({ length: filesPerFolder }, (_, file) => join(path, `file.${file}.txt`))
    await Promise.all(
      names.map((name, file) =>
        writeFile(name, folder % 50 === 7 && file === 7 ? `${text}a needle in a haystack\n` : text),
      ),
    )
  }
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`.padStart(8)
}
