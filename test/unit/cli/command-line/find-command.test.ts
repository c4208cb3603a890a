import { expect, test } from 'vitest'
import { findCommand } from '../../../../packages/cli/src/command-line/find-command.ts'
import { ostler } from '../../../../packages/cli/src/commands.ts'

test.each<[readonly string[], string, readonly string[]]>([
  [[], 'ostler', []],
  [['acp', '--model', 'offline'], 'ostler acp', ['--model', 'offline']],
  [['mcp', 'remove', 'one'], 'ostler mcp remove', ['one']],
  [['mcp', 'dance'], 'ostler mcp', ['dance']],
  [['mcp', '--help', 'add'], 'ostler mcp', ['--help', 'add']],
  [['history', '--json'], 'ostler history', ['--json']],
  [['version'], 'ostler', ['--version']],
  [['help'], 'ostler', ['--help']],
  [['help', 'help'], 'ostler', ['--help', '--help']],
  [['help', 'mcp', 'add'], 'ostler mcp add', ['--help']],
  [['mcp', 'help', 'add'], 'ostler mcp add', ['--help']],
  [['--help', 'acp'], 'ostler acp', ['--help']],
  [['-h'], 'ostler', ['-h']],
])('%j is a call of one command', (argv, path, args) => {
  expect(findCommand(ostler, argv)).toMatchObject({ path, args })
})
