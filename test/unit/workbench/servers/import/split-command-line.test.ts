import { expect, it } from 'vitest'
import { splitCommandLine } from '../../../../../packages/workbench/src/servers/import/split-command-line.ts'

it.each([
  ['npx -y @scope/server /tmp', 'npx', ['-y', '@scope/server', '/tmp'], []],
  ["$ node server.mjs --name 'two words'", 'node', ['server.mjs', '--name', 'two words'], []],
  [
    'KEY=abc OTHER="a b" uvx thing',
    'uvx',
    ['thing'],
    [
      ['KEY', 'abc'],
      ['OTHER', 'a b'],
    ],
  ],
  ['"/opt/my tools/run" --say="it \\"is\\""', '/opt/my tools/run', ['--say=it "is"'], []],
  ['/opt/my\\ tools/run x', '/opt/my tools/run', ['x'], []],
  ['C:\\tools\\run.exe --fast', 'C:\\tools\\run.exe', ['--fast'], []],
  ["run ''", 'run', [''], []],
] as const)('splits %s', (line, command, args, env) => {
  expect(splitCommandLine(line)).toEqual({ command, args, env })
})

it.each([
  'npx',
  '',
  '  ',
  "open 'quote",
  'a | b',
  'a && b',
  'a > b',
  'echo $HOME',
  'a `b`',
  'A=b',
  'A=b C=d',
])('leaves alone what is one word, or needs a shell: %s', (line) => {
  expect(splitCommandLine(line)).toBeUndefined()
})
