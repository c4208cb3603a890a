import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { flagsOf, type Command, type CommandEntry } from '../../packages/cli/src/command-line/command.ts'
import { ostler } from '../../packages/cli/src/commands.ts'
import { runCli, type CliResult } from '../support/run-cli.ts'
import { canMount, mountDisk, remountDisk, unmountDisk } from '../support/small-disk.ts'
import { openTempDir } from '../support/temp-dir.ts'

interface Found {
  readonly name: string
  readonly path: readonly string[]
  readonly command: Command
}

/** All commands that people call. */
async function allCommands(entry: CommandEntry = ostler, path: readonly string[] = []): Promise<Found[]> {
  const { command } = await entry.load()
  const subs = await Promise.all(
    (entry.subcommands ?? [])
      .filter(({ summary }) => summary !== undefined)
      .map((sub) => allCommands(sub, [...path, sub.name])),
  )
  return [{ name: path.join(' '), path, command }, ...subs.flat()]
}

const commands = await allCommands()

/** These serve until they are ended. Their options have tests of their own. */
const serving: ReadonlySet<string> = new Set(['acp', 'console'])
/** These print a report on standard output, whatever they find. */
const reporting: ReadonlySet<string> = new Set(['check', 'doctor', 'mcp check'])

/** Arguments with which a command does some work. A command that is not listed needs none. */
const usualWords: Readonly<Record<string, readonly string[]>> = {
  run: ['hello'],
  editor: ['zed'],
  completion: ['bash'],
  'mcp get': ['mine'],
  'mcp add': ['other', 'https://example.test/mcp'],
  'mcp add-from-registry': ['--from', 'server.json', '--yes'],
  'mcp update': ['mine'],
  'mcp remove': ['mine'],
  'mcp enable': ['mine'],
  'mcp disable': ['mine'],
  'mcp login': ['mine'],
  'mcp logout': ['mine'],
  'mcp test': ['mine'],
  'mcp check': ['mine'],
  'mcp tools': ['mine'],
  'mcp call': ['mine', 'tool'],
  'mcp resources': ['mine'],
  'mcp read': ['mine', 'a:b'],
  'mcp prompts': ['mine'],
  'mcp import': ['list.json'],
  'history show': ['abc'],
  'sessions show': ['abc'],
  'sessions delete': ['abc'],
  'sessions export': ['abc'],
  grants: ['revoke', '1'],
}

const toLine = ({ name, path }: Found): readonly string[] => [...path, ...(usualWords[name] ?? [])]

interface Place extends AsyncDisposable {
  readonly path: string
  run(args: readonly string[]): Promise<CliResult>
}

const registryEntry = {
  name: 'io.github.example/weather',
  description: 'The weather',
  version: '1.0.0',
  remotes: [{ type: 'streamable-http', url: 'https://weather.example.test/mcp' }],
}

/** A folder that is also the home, with files that name servers. */
async function openPlace(): Promise<Place> {
  const dir = await openTempDir()
  const env = {
    HOME: dir.path,
    XDG_CONFIG_HOME: join(dir.path, 'config'),
    XDG_STATE_HOME: join(dir.path, 'state'),
    OSTLER_SECRET_STORE: 'file',
    OSTLER_MODEL: 'offline',
  }
  await writeFile(join(dir.path, 'list.json'), '{"mcpServers":{"a":{"command":"true"}}}')
  await writeFile(join(dir.path, 'server.json'), JSON.stringify(registryEntry))
  return { ...dir, run: (args) => runCli(args, { env, cwd: dir.path }) }
}

/** All files below a folder, with their contents. */
async function contentsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(folder, { recursive: true })
  const read = async (name: string) =>
    (await stat(join(folder, name))).isFile() ? [[name, await readFile(join(folder, name), 'latin1')]] : []
  return Object.fromEntries((await Promise.all(names.map(read))).flat()) as Record<string, string>
}

const shownArgs = (args: readonly string[]) =>
  args.map((arg) => (arg.length > 60 ? `${arg.slice(0, 60)}…` : arg))

/** The output has nothing that could change a terminal, no stack trace, and a limited length. */
function checkText(args: readonly string[], { stdout, stderr }: CliResult): void {
  const text = stdout + stderr
  const problems = [
    ...(stripVTControlCharacters(text) === text && !/[^\P{C}\n\t]/u.test(text) ? [] : ['control characters']),
    ...(/\n {4}at |unexpected error|undefined|\[object/.test(text) ? ['raw text'] : []),
    ...(stderr.length > 4_000 ? ['very long'] : []),
  ]
  expect({ args: shownArgs(args), problems, text: problems.length === 0 ? '' : text.slice(0, 500) }).toEqual({
    args: shownArgs(args),
    problems: [],
    text: '',
  })
}

/** A sentence that begins with the program's name, unless the answer is a report. */
function checkFailure(args: readonly string[], result: CliResult, name: string): void {
  checkText(args, result)
  const isTold = reporting.has(name) || /(?:^|\n)ostler: \S/.test(result.stderr)
  expect({ args: shownArgs(args), code: result.code, isTold }).toEqual({
    args: shownArgs(args),
    code: expect.toSatisfy((code) => code === 1 || code === 2),
    isTold: true,
  })
}

/** The same for a command that prints nothing. */
function checkComplaint(args: readonly string[], result: CliResult): void {
  checkFailure(args, result, '')
  expect({ args: shownArgs(args), stdout: result.stdout }).toEqual({ args: shownArgs(args), stdout: '' })
  expect(result.stderr).toMatch(/^ostler: \S/)
}

describe('arguments', () => {
  test('an unknown option, an option without its value, and an empty value are usage errors of every command', async () => {
    for (const { path, command } of commands) {
      const texts = Object.entries(flagsOf(command)).filter(([, { type }]) => type === 'string')
      const wrong = [['--no-such-option'], ...texts.flatMap(([name]) => [[`--${name}`], [`--${name}`, '']])]
      for (const args of wrong) {
        const result = await runCli([...path, ...args])
        checkComplaint([...path, ...args], result)
        expect({ args: [...path, ...args], code: result.code }).toEqual({ args: [...path, ...args], code: 2 })
      }
    }
  })

  const hostile = [
    '\u001b[31mred\u001b[0m',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    'a\nb',
    'a\0b',
    '\u202Eevil',
    'x'.repeat(50_000),
    '%s%n$(id)',
  ]

  test('hostile words are refused by every command, and nothing is written', async () => {
    await using place = await openPlace()
    const before = await contentsOf(place.path)
    // Any text is a prompt.
    const takesText = new Set(['run', 'chat'])
    for (const { name, path } of commands.filter(({ name }) => !takesText.has(name))) {
      const lines = [
        ...hostile.map((word) => [...path, word]),
        ...(name === '' ? [] : [[...path, ...(usualWords[name] ?? []), '--', '\u001b[2J', '']]),
      ]
      for (const args of lines) checkFailure(args, await place.run(args), name)
    }
    expect(await contentsOf(place.path)).toEqual(before)
  })

  test('hostile values of every option are used as they are, or refused', async () => {
    await using place = await openPlace()
    // In turn, because every value for every option takes too long.
    const values = ['\u001b[31mred\u001b[0m', 'a\0b', '__proto__', 'x'.repeat(50_000)]
    let turn = 0
    for (const found of commands.filter(({ name }) => !serving.has(name) && name !== '')) {
      const texts = Object.entries(flagsOf(found.command)).filter(([, { type }]) => type === 'string')
      for (const [flag] of texts) {
        const args = [...toLine(found), `--${flag}=${values[turn++ % values.length]}`]
        const result = await place.run(args)
        if (result.code === 0) checkText(args, result)
        else checkFailure(args, result, found.name)
      }
    }
    expect(await readFile(join(place.path, 'list.json'), 'utf8')).toContain('"command":"true"')
  })

  test('without a person to ask, a command that would ask says how to answer beforehand', async () => {
    await using place = await openPlace()
    await place.run(['mcp', 'add', 'mine', 'https://example.test/mcp'])
    await writeFile(join(place.path, 'settings.json'), '{}')
    const before = await contentsOf(place.path)
    const asks: Readonly<Record<string, readonly string[]>> = {
      editor: ['zed', '--write', '--file', join(place.path, 'settings.json')],
      'mcp import': ['list.json'],
      'mcp add-from-registry': ['--from', 'server.json'],
      'history clear': [],
      'sessions delete': ['abc'],
    }
    // Without a person, `mcp test --learn` asks nothing, and shows the setting.
    const named = commands.flatMap(({ command, name }) =>
      'yes' in flagsOf(command) && name !== 'mcp test' ? name : [],
    )
    expect(Object.keys(asks).toSorted()).toEqual(named.toSorted())
    for (const [name, words] of Object.entries(asks)) {
      const args = [...name.split(' '), ...words]
      const { code, stderr } = await place.run(args)
      expect({ args, code, says: /--yes/.test(stderr) }).toEqual({ args, code: 2, says: true })
    }
    const { 'state/ostler/ostler.db': _, ...after } = await contentsOf(place.path)
    expect({ ...before, ...after }).toEqual(before)
  })
})

describe('a state directory that cannot be used', () => {
  test.for([
    ['is a file', 'file'],
    ['is below a file', 'file/below'],
    ['is a device', '/dev/null'],
    ['has a folder instead of a database', 'folders'],
    ['has a damaged database', 'damaged'],
  ] as const)(
    'one that %s is reported by every command, and left alone',
    async ([kind, stateDir], { expect }) => {
      await using place = await openPlace()
      await writeFile(join(place.path, 'file'), 'not a folder')
      await mkdir(join(place.path, 'folders/ostler.db'), { recursive: true })
      await mkdir(join(place.path, 'damaged'))
      for (const found of commands.filter(
        ({ name, command }) => !serving.has(name) && 'state-dir' in flagsOf(command),
      )) {
        // Each command needs a new damaged file, because the first one sets it aside.
        await writeFile(
          join(place.path, 'damaged/ostler.db'),
          'this is no database, however long one looks at it',
        )
        const args = [
          ...toLine(found),
          '--state-dir',
          stateDir,
          ...('yes' in flagsOf(found.command) ? ['--yes'] : []),
        ]
        const result = await place.run(args)
        if (result.code === 0) checkText(args, result)
        else checkFailure(args, result, found.name)
        // These answer without the stored data, and say that it is missing.
        const works = ['run', 'check', 'doctor'].includes(found.name)
        expect({ kind, args, fails: works || result.code !== 0 }).toEqual({ kind, args, fails: true })
      }
      expect(await readFile(join(place.path, 'file'), 'utf8')).toBe('not a folder')
      expect(await readdir(join(place.path, 'folders/ostler.db'))).toEqual([])
    },
  )
})

test('an agent file that cannot be used is reported by every command that reads it, and left alone', async () => {
  await using place = await openPlace()
  const at = (name: string) => join(place.path, name)
  await Promise.all([
    writeFile(at('no-json.json'), '{ "model": '),
    writeFile(at('wrong.yaml'), 'model: 7\nmcpServers: [1]\nno\u001b[31mise: 1\n'),
    writeFile(at('list.yaml'), '- 1\n'),
    writeFile(at('binary.yaml'), Buffer.from([0, 1, 2, 255, 254, 27, 91, 51, 49, 109])),
    writeFile(at('vast.yaml'), '# x\n'.repeat(300_000)),
    mkdir(at('folder.yaml')),
    symlink('loop.yaml', at('loop.yaml')),
  ])
  const before = await contentsOf(place.path).catch(() => undefined)
  const files = [
    'no-json.json',
    'wrong.yaml',
    'list.yaml',
    'binary.yaml',
    'vast.yaml',
    'folder.yaml',
    'loop.yaml',
    'missing.yaml',
    '/dev/zero',
  ]
  for (const found of commands.filter(
    ({ name, command }) => !serving.has(name) && name !== 'chat' && 'agent' in flagsOf(command),
  )) {
    // This command creates the missing file.
    for (const file of found.name === 'init' ? files.filter((name) => name !== 'missing.yaml') : files) {
      const args = [...toLine(found), '--agent', file, ...('yes' in flagsOf(found.command) ? ['--yes'] : [])]
      checkFailure(args, await place.run(args), found.name)
    }
  }
  expect(await contentsOf(place.path).catch(() => undefined)).toEqual(before)
})

describe.skipIf(!canMount)('a disk', () => {
  test.for(['full', 'read-only'] as const)(
    'that is %s: every command answers properly, and no file is cut off',
    async (kind, { expect }) => {
      await using place = await openPlace()
      const disk = join(place.path, 'disk')
      await mkdir(disk)
      mountDisk(disk, '2m')
      try {
        await place.run(['mcp', 'add', 'mine', 'https://127.0.0.1:9/mcp', '--state-dir', 'disk/state'])
        await writeFile(join(disk, 'ostler.yaml'), 'model: offline\n')
        await writeFile(join(disk, 'settings.json'), '{}')
        if (kind === 'full')
          for (const size of [4 * 1024 ** 2, 4096])
            await writeFile(join(disk, `fill-${size}`), Buffer.alloc(size)).catch(() => {})
        else remountDisk(disk, 'ro')
        const before = await contentsOf(disk)

        for (const found of commands.filter(
          ({ name, command }) => !serving.has(name) && 'state-dir' in flagsOf(command),
        )) {
          const args = [
            ...toLine(found),
            '--state-dir',
            'disk/state',
            ...('yes' in flagsOf(found.command) ? ['--yes'] : []),
          ]
          const result = await place.run(args)
          if (result.code === 0) checkText(args, result)
          else checkFailure(args, result, found.name)
        }
        expect((await place.run(['mcp', 'list', '--json', '--state-dir', 'disk/state'])).stdout).toContain(
          '"mine"',
        )
        const changes = [
          ['mcp', 'add', 'more', 'https://example.test/mcp', '--state-dir', 'disk/state'],
          ['mcp', 'remove', 'mine', '--state-dir', 'disk/state'],
          ['init', '--agent', 'disk/new.yaml'],
          ['init', '--force', '--agent', 'disk/ostler.yaml'],
          ['editor', 'zed', '--write', '--yes', '--file', join(disk, 'settings.json')],
        ]
        for (const args of changes) {
          const result = await place.run(args)
          checkFailure(args, result, '')
          expect({ args, code: result.code }).toEqual({ args, code: 1 })
          expect(result.stderr).toMatch(/the disk is (?:full|read-only)|the space on its disk/)
        }

        const after = await contentsOf(disk)
        const added = Object.keys(after).filter((name) => !(name in before))
        // SQLite keeps two beside the database while it is open. The lock of the secrets is empty, and stays.
        const kept = /^state\/(?:ostler\.db-(?:shm|wal)|secrets\.json\.lock)$/
        expect(added.filter((name) => !kept.test(name))).toEqual([])
        for (const name of ['ostler.yaml', 'settings.json']) expect(after[name]).toBe(before[name])
      } finally {
        unmountDisk(disk)
      }
    },
  )
})
