import { spawn, spawnSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { flagsOf, type CommandEntry } from '../../packages/cli/src/command-line/command.ts'
import { ostler } from '../../packages/cli/src/commands.ts'
import { baseEnv, ostlerScript } from '../support/acp-harness.ts'
import { openMcpLab } from './mcp-lab.ts'
import { runCli } from '../support/run-cli.ts'
import { openStateLab } from './state-lab.ts'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
type Shell = (typeof shells)[number]
const programs = { bash: 'bash', zsh: 'zsh', fish: 'fish', powershell: 'pwsh' } as const
const isHere = (shell: Shell) => spawnSync(programs[shell], ['--version']).status === 0

/** Returns the candidates without their descriptions. */
async function complete(shell: string, words: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCli(['__complete', shell, '--', ...words], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  return { candidates: lines.slice(0, -1).map((line) => line.split('\t')[0]), directive: lines.at(-1) }
}

interface Found {
  readonly entry: CommandEntry
  readonly path: readonly string[]
}

const isShown = ({ summary }: CommandEntry) => summary !== undefined

function allCommands(entry = ostler, path: readonly string[] = []): Found[] {
  return [
    { entry, path },
    ...(entry.subcommands ?? []).filter(isShown).flatMap((sub) => allCommands(sub, [...path, sub.name])),
  ]
}

test('every command and every flag can be completed, and is in the help', async () => {
  for (const { entry, path } of allCommands()) {
    const help = (await runCli([...path, '--help'])).stdout
    const flags = (await complete('bash', [...path, '-'])).candidates
    expect(flags).toEqual(Object.keys(flagsOf((await entry.load()).command)).map((name) => `--${name}`))
    for (const flag of flags) expect(help).toContain(flag)
    const subcommands = (entry.subcommands ?? []).filter(isShown).map(({ name }) => name)
    expect((await complete('bash', [...path, ''])).candidates).toEqual(expect.arrayContaining(subcommands))
    for (const name of subcommands) expect(help).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'))
  }
})

test('completes files and directories, but not the arguments of another program', async () => {
  expect(await complete('bash', ['acp', '--log-file', ''])).toEqual({ candidates: [], directive: ':file' })
  expect(await complete('bash', ['history', '--state-dir', ''])).toEqual({
    candidates: [],
    directive: ':directory',
  })
  expect(await complete('bash', ['mcp', 'import', ''])).toEqual({ candidates: [], directive: ':file' })
  expect(await complete('bash', ['mcp', 'add', 'one', '--', 'npx', '--l'])).toEqual({
    candidates: [],
    directive: ':file',
  })
  expect(await complete('bash', ['history', '--status', '=', 'e'])).toMatchObject({ candidates: ['error'] })
  expect(await complete('fish', ['history', '--status=e'])).toMatchObject({ candidates: ['--status=error'] })
})

test('completes servers and sessions; without state it creates nothing and prints nothing', async () => {
  await using lab = await openMcpLab()
  expect((await complete('bash', ['mcp', 'test', ''], lab.env)).candidates).toEqual([])
  await lab.run(['add', 'one', '--', 'one'])
  await lab.run(['add', 'two words', '--', 'two'])
  const file = join(lab.path, 'agent.yaml')
  await writeFile(file, 'mcpServers:\n  own: { type: stdio, command: own, mode: strict }\n')
  const words = ['--agent', file, '--state-dir', lab.stateDir]
  expect((await complete('bash', ['mcp', 'test', ...words, ''], lab.env)).candidates).toEqual([
    'own',
    'one',
    'two words',
  ])
  expect(
    (await complete('bash', ['history', ...words.slice(2), '--server', 't'], lab.env)).candidates,
  ).toEqual(['two words'])
  await writeFile(file, 'colour: red\n')
  expect((await complete('bash', ['mcp', 'test', ...words, 'o'], lab.env)).candidates).toEqual(['one'])

  await using state = await openStateLab()
  const { id } = state.addSession({ title: 'A\ttitle\nwith\u001b[31m things' })
  const { stdout } = await runCli([
    '__complete',
    'zsh',
    '--',
    'sessions',
    'show',
    '--state-dir',
    state.stateDir,
    '',
  ])
  expect(stdout).toBe(`${id}\tA title with [31m things\n:nothing\n`)
  expect(
    (await complete('bash', ['sessions', 'delete', '--state-dir', state.stateDir, id, ''])).candidates,
  ).toEqual([id])
})

test('each supported shell has a script, and no other', async () => {
  for (const shell of shells) {
    const { code, stdout } = await runCli(['completion', shell])
    expect({ shell, code }).toEqual({ shell, code: 0 })
    expect(stdout).toContain(`__complete ${shell} --`)
  }
  for (const args of [['completion'], ['completion', 'cmd'], ['completion', 'bash', 'zsh']])
    expect(await runCli(args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^See ostler completion --help$|^Usage: ostler completion /m),
    })
})

/** Types lines into a real shell that has sourced the script, and returns the suggestions for each. */
async function ask(shell: Shell, lines: readonly string[], before = ''): Promise<string[][]> {
  await using lab = await openMcpLab()
  const bin = join(lab.path, 'bin')
  await mkdir(bin)
  await symlink(ostlerScript, join(bin, 'ostler'))
  await symlink(process.execPath, join(bin, 'node'))
  const quoted = (line: string) =>
    line
      .split(' ')
      .map((word) => `'${word}'`)
      .join(' ')
  const last = (line: string) => line.split(' ').length
  const source = {
    bash: `${before} eval "$(ostler completion bash)"`,
    zsh: `autoload -U compinit; compinit -D; source <(ostler completion zsh); compadd() { :; }; _describe() { print -l -- "\${candidates[@]}" }`,
    fish: 'ostler completion fish | source',
    powershell: 'ostler completion powershell | Out-String | Invoke-Expression',
  }[shell]
  const type = (line: string) =>
    ({
      bash: `COMP_WORDS=(${quoted(line)}); COMP_CWORD=${last(line) - 1}; _ostler ostler; printf '%s\\n' "\${COMPREPLY[@]}"`,
      zsh: `words=(${quoted(line)}); CURRENT=${last(line)}; _ostler`,
      fish: `complete -C '${line}'`,
      powershell: `(TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`,
    })[shell]
  const script = [source, ...lines.flatMap((line) => [type(line), "echo '====='"])].join('\n')
  const child = spawn(programs[shell], shell === 'fish' ? ['--no-config', '-c', script] : ['-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: lab.path,
    env: { ...lab.env, ...baseEnv, PATH: [bin, process.env['PATH']].join(delimiter) },
  })
  const output = await text(child.stdout)
  return output
    .split('=====')
    .slice(0, -1)
    .map((answer) => answer.trim().split('\n'))
}

for (const shell of shells) {
  test(`a real ${shell} completes commands, flags and values`, async ({ skip }) => {
    if (!isHere(shell)) return skip(`this machine has no ${programs[shell]}`)
    const suggested = await ask(shell, ['ostler hist', 'ostler mcp list --js', 'ostler history --status e'])
    expect(suggested.map((lines) => lines.join('\n'))).toEqual([
      expect.stringContaining('history'),
      expect.stringContaining('--json'),
      expect.stringContaining('error'),
    ])
  })
}

test.runIf(isHere('bash'))('the script needs nothing that bash 3.2 of macOS lacks', async () => {
  const older = 'enable -n mapfile readarray compopt; declare() { exit 1; };'
  expect(await ask('bash', ['ostler hist', 'ostler acp --log-file bi'], older)).toEqual([
    ['history'],
    ['bin'],
  ])
})

test('PowerShell drops an empty word, so the word under the cursor begins with a plus sign', async () => {
  expect(await complete('powershell', ['hist', '+'])).toMatchObject({ directive: ':nothing' })
  expect(await complete('powershell', ['+hist'])).toMatchObject({ candidates: ['history'] })
  expect(await complete('powershell', ['history', '+--status=e'])).toMatchObject({
    candidates: ['--status=error'],
  })
})

test.runIf(isHere('bash'))(
  'bash quotes where necessary, and completes files and values after a =',
  async () => {
    await using lab = await openMcpLab()
    await lab.run(['add', 'two words', '--', 'two'])
    const lines = [
      'ostler history --status = e',
      'ostler acp --log-file bi',
      `ostler mcp test --state-dir ${lab.stateDir} t`,
    ]
    expect(await ask('bash', lines)).toEqual([['error'], ['bin'], ['two\\ words']])
  },
)
