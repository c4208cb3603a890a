import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { hasTerminal } from '../cli/run-on-terminal.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { commandsIn, follow, matches, toComparable, toKnownSequences } from './follow-page.ts'

const repository = join(import.meta.dirname, '../..')
const { resolve } = createRequire(import.meta.url)
const page = () => readFile(join(repository, 'docs/first-hour.md'), 'utf8')
const startLine = /^npx -y pnpm@\S+ start$/m

test.runIf(hasTerminal)('every command of docs/first-hour.md shows what the page says', async () => {
  await using home = await openTempDir('ostler-home-')
  const bin = join(home.path, 'bin')
  await mkdir(bin)
  // The same programs from this workspace, so that nothing is downloaded.
  const everything = resolve('@modelcontextprotocol/server-everything/dist/index.js')
  const script = `#!/bin/sh
case "$*" in
  "-y pnpm@"*" run link:command") exec '${repository}/node_modules/.bin/tsx' '${repository}/test/scripts/link-command.ts' ;;
  "-y @modelcontextprotocol/server-everything") exec '${process.execPath}' '${everything}' ;;
esac
echo "npx $*: not known here" >&2
exit 1
`
  await writeFile(join(bin, 'npx'), script, { mode: 0o755 })
  const vendors = [
    'OPENROUTER_BASE_URL',
    'OLLAMA_HOST',
    'LMSTUDIO_BASE_URL',
    'LLAMACPP_BASE_URL',
    'VLLM_BASE_URL',
  ]
  const env = {
    ...Object.fromEntries(vendors.map((name) => [name, 'http://127.0.0.1:1/v1'])),
    HOME: home.path,
    XDG_CONFIG_HOME: join(home.path, '.config'),
    PATH: [bin, join(home.path, '.local/bin'), '/usr/bin', '/bin'].join(delimiter),
    NO_COLOR: '1',
    OSTLER_SECRET_STORE: 'file',
  }
  const commands = commandsIn(await page())
  expect(commands.length).toBeGreaterThan(12)
  await follow(commands, {
    home: home.path,
    env,
    places: [
      ['/home/me/ostler', repository],
      ['/home/me', home.path],
    ],
  })
})

test('its first block is what a fresh clone is tried with, and what README.md says', async () => {
  const [line = 'no start'] = startLine.exec(await page()) ?? []
  for (const path of ['README.md', 'test/scripts/fresh-clone.sh'])
    expect((await readFile(join(repository, path), 'utf8')).split('\n')).toContain(line)
})

test('a page is compared line by line, and `…` stands for anything', () => {
  const isShown = (lines: string, wanted: string) =>
    matches(lines.split('\n').map(toComparable), wanted.split('\n').map(toComparable))
  expect(isShown('a  1f2e3d4c 12:00:01 7 ms', 'a 00000000 23:59:59 12.5 s')).toBe(true)
  expect(isShown('a\nb\nc', 'a\n…\nc')).toBe(true)
  expect(isShown('a\nc', 'a\n…\nc')).toBe(true)
  expect(isShown('a\nb\nc', 'a\nb\n…')).toBe(true)
  expect(isShown('a is long', 'a …')).toBe(true)
  for (const [lines, wanted] of [
    ['a\nb\nc', 'a\nc'],
    ['a\nb', 'a'],
    ['a', 'a\nb'],
    ['a is long', 'b …'],
    ['', 'a'],
  ] as const)
    expect({ lines, wanted, isShown: isShown(lines, wanted) }).toEqual({ lines, wanted, isShown: false })
})

test('a line of progress is not compared', () => {
  const erase = '\u001B[K'
  expect(
    toKnownSequences(`Runs: npx\n\rStarting 1 s${erase}\rStarting 2 s${erase}\r${erase}Connected\n`),
  ).toBe('Runs: npx\nConnected\n')
})
