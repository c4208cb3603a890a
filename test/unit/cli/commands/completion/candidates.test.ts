import { expect, it } from 'vitest'
import { defineCommand, type CommandEntry } from '../../../../../packages/cli/src/command-line/command.ts'
import { expectedAt } from '../../../../../packages/cli/src/commands/completion/candidates.ts'

const flag = { type: 'boolean', help: 'Print\nJSON' } as const
const show = defineCommand({
  synopsis: [],
  about: '',
  words: ['server', ['all', 'none']],
  flags: {
    json: flag,
    kind: { type: 'string', short: 'k', help: 'Of a kind', completion: ['old', 'new'] },
    path: { type: 'string', help: 'At' },
  },
  run: () => 0,
})
const bare = defineCommand({ synopsis: [], about: '', flags: { json: flag }, run: () => 0 })
const root: CommandEntry = {
  name: 'ostler',
  load: async () => ({ command: bare }),
  subcommands: [
    { name: 'show', summary: 'Show one', load: async () => ({ command: show }) },
    { name: '__hidden', load: async () => ({ command: bare }) },
  ],
}

it.each<[string, readonly string[], object]>([
  [
    'the commands at the beginning',
    [''],
    {
      candidates: [
        { text: 'show', description: 'Show one' },
        { text: 'help', description: 'Show the help of a command' },
      ],
    },
  ],
  ['the commands behind help', ['help', ''], { candidates: [{ text: 'show' }, { text: 'help' }] }],
  ['the kind of the first word', ['show', ''], { candidates: [], kind: 'server' }],
  ['the same behind help', ['help', 'show', ''], { kind: 'server' }],
  [
    'the choices of the second word',
    ['show', 'one', ''],
    { candidates: [{ text: 'all' }, { text: 'none' }] },
  ],
  [
    'the last kind for any word that follows',
    ['show', 'one', 'two', ''],
    { candidates: [{ text: 'all' }, { text: 'none' }] },
  ],
  [
    'the flags',
    ['show', '-'],
    {
      candidates: [
        { text: '--json', description: 'Print JSON' },
        { text: '--kind' },
        { text: '--path' },
        { text: '--help' },
      ],
    },
  ],
  [
    'the values of a flag',
    ['show', '--kind', ''],
    { candidates: [{ text: 'old' }, { text: 'new' }], prefix: '' },
  ],
  ['the values of a short flag', ['show', '-k', ''], { candidates: [{ text: 'old' }, { text: 'new' }] }],
  [
    'the values behind =',
    ['show', '--kind=o'],
    { candidates: [{ text: 'old' }, { text: 'new' }], prefix: '--kind=' },
  ],
  ['nothing behind = of an unknown flag', ['show', '--odd=o'], { candidates: [], prefix: '--odd=' }],
  ['nothing for a value that is free', ['show', '--path', ''], { candidates: [] }],
  ['a word behind the value of a flag', ['show', '--kind', 'old', ''], { kind: 'server' }],
  ['a word behind a flag without value', ['show', '--json', '-x', ''], { kind: 'server' }],
  ['a word behind a single dash', ['show', '-', ''], { candidates: [{ text: 'all' }, { text: 'none' }] }],
  ['a file behind --', ['show', '--', 'run', ''], { candidates: [], kind: 'file' }],
])('completes %s', async (_, words, expected) => {
  expect(await expectedAt(root, words)).toMatchObject(expected)
})
