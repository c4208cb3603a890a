import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { flagsOf, type Command, type CommandEntry } from '../../packages/cli/src/command-line/command.ts'
import { ostler } from '../../packages/cli/src/commands.ts'
import { runCli, type CliResult } from '../support/run-cli.ts'
import { openTempDir } from '../support/temp-dir.ts'

interface Found {
  readonly path: readonly string[]
  readonly command: Command
}

/** All commands that people call. */
async function allCommands(entry: CommandEntry = ostler, path: readonly string[] = []): Promise<Found[]> {
  const { command } = await entry.load()
  const subs = await Promise.all(
    (entry.subcommands ?? []).filter(({ summary }) => summary !== undefined).map((sub) => allCommands(sub, [...path, sub.name])),
  )
  return [{ path, command }, ...subs.flat()]
}

/** It begins with the program's name, and could not change a terminal. */
function checkComplaint({ stdout, stderr }: CliResult): void {
  expect(stdout).toBe('')
  expect(stderr).toBe(stripVTControlCharacters(stderr))
  expect(stderr).toMatch(/^ostler: \S/)
  expect(stderr).not.toMatch(/\n {4}at |unexpected error|undefined|\[object/)
}

test('an unknown option, an option without its value, and an empty value are usage errors of every command', async () => {
  for (const { path, command } of await allCommands()) {
    const texts = Object.entries(flagsOf(command)).filter(([, { type }]) => type === 'string')
    const wrong = [['--no-such-option'], ...texts.flatMap(([name]) => [[`--${name}`], [`--${name}`, '']])]
    for (const args of wrong) {
      const result = await runCli([...path, ...args])
      expect({ args: [...path, ...args], code: result.code }).toEqual({ args: [...path, ...args], code: 2 })
      checkComplaint(result)
    }
  }
})

const hostile = [
  '\u001b[31mred\u001b[0m',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  'a\nb',
  '\u202Eevil',
  'x'.repeat(50_000),
  '%s%n$(id)',
]

test('hostile words are refused by every command, in text that is safe on a terminal, and nothing is written', async () => {
  await using dir = await openTempDir()
  const env = {
    HOME: dir.path,
    XDG_CONFIG_HOME: join(dir.path, 'config'),
    XDG_STATE_HOME: join(dir.path, 'state'),
    OSTLER_SECRET_STORE: 'file',
  }
  // Any text is a prompt, and any text searches or filters.
  const takesText = new Set(['run', 'chat'])
  for (const { path } of await allCommands()) {
    if (takesText.has(path.join(' '))) continue
    for (const word of hostile) {
      const result = await runCli([...path, word], { env, cwd: dir.path })
      expect({ args: [...path, word.slice(0, 20)], isRefused: result.code === 1 || result.code === 2 }).toEqual({
        args: [...path, word.slice(0, 20)],
        isRefused: true,
      })
      checkComplaint(result)
    }
  }
  expect(await readdir(dir.path)).toEqual([])
})
