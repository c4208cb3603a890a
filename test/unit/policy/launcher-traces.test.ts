import { describe, expect, test } from 'vitest'
import {
  importsFromFolder,
  launcherTraces,
  npxOptionsAt,
} from '../../../packages/agent-api/src/policy/launcher-traces.ts'

const toCommand = (line: string) => {
  const [command = '', ...args] = line.split(' ')
  return { command, args }
}

describe('the files of a folder that decide what runs', () => {
  test.each<[line: string, ...expected: string[]]>([
    ['npx -y mcp-a', 'node_modules/.bin/mcp-a', 'node_modules/mcp-a', 'package.json', '.npmrc'],
    [
      'npx -y @scope/mcp-a@latest stdio',
      'node_modules/.bin/mcp-a',
      'node_modules/@scope/mcp-a',
      'package.json',
    ],
    ['npx --registry https://r.example mcp-a', 'node_modules/.bin/mcp-a'],
    ['npx --package=@scope/tools mcp-a', 'node_modules/@scope/tools', 'node_modules/.bin/mcp-a'],
    ['npm exec -- mcp-a', 'node_modules/.bin/mcp-a'],
    ['npm x mcp-a', 'node_modules/.bin/mcp-a'],
    ['pnpm dlx mcp-a', 'node_modules/.bin/mcp-a', '.pnpmfile.cjs'],
    ['yarn dlx mcp-a', 'node_modules/.bin/mcp-a', '.yarnrc.yml'],
    ['bunx mcp-a', 'node_modules/.bin/mcp-a', 'bunfig.toml'],
    ['bun x mcp-a', 'node_modules/.bin/mcp-a', 'bunfig.toml'],
    ['/usr/local/bin/npx mcp-a', 'node_modules/.bin/mcp-a'],
    ['C:\\nodejs\\npx.cmd mcp-a', 'node_modules/.bin/mcp-a'],
    ['cmd /c npx -y mcp-a', 'node_modules/.bin/mcp-a'],
    ['env A=b npx mcp-a', 'node_modules/.bin/mcp-a'],
    ['uvx mcp-server-git', 'uv.toml', 'pyproject.toml'],
    ['py -3 -m mcp_a', 'mcp_a.py'],
    ['tsx /opt/server.ts', 'tsconfig.json'],
    ['poetry run server', 'pyproject.toml'],
    ['bundle exec mcp-a', 'Gemfile', '.bundle'],
    ['cargo run', 'Cargo.toml', '.cargo'],
    ['mise exec -- /opt/server', 'mise.toml', '.tool-versions'],
    ['npx mcp-a --prefix /opt', 'node_modules/.bin/mcp-a'],
    ['npx --unknown mcp-a --prefix /opt', 'node_modules/.bin/mcp-a'],
    ['uv --directory sub run server', 'pyproject.toml'],
    ['uv run server', 'uv.toml', 'pyproject.toml', '.venv'],
    ['python3 -m mcp_server_git', 'mcp_server_git.py', 'mcp_server_git', 'mcp_server_git/__main__.py'],
    ['python3.12 -um mcp_server.git', 'mcp_server.py', 'mcp_server'],
    ['python -mmcp_a', 'mcp_a.py'],
    ['python server.py', 'server.py'],
    ['deno run -A npm:mcp-a', 'deno.json', '.npmrc'],
    ['deno run server.ts', 'server.ts', 'deno.json'],
    ['node dist/index.js', 'dist/index.js'],
    ['node --import ./hook.mjs /opt/server.js', './hook.mjs'],
    ['node --require=./hook.cjs /opt/server.js', './hook.cjs'],
    ['node .', './package.json'],
    ['bash start.sh', 'start.sh'],
    ['./server', './server'],
    ['bin/server --stdio', 'bin/server'],
  ])('%s', (line, ...expected) => {
    const paths = launcherTraces(toCommand(line)).map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(expected))
  })

  test('a launcher in the line of a shell counts', () => {
    const traces = launcherTraces({ command: 'sh', args: ['-c', 'cd . && npx -y mcp-a'] })
    expect(traces.map(({ path }) => path)).toContain('node_modules/.bin/mcp-a')
  })

  test('a name may contain spaces', () => {
    expect(launcherTraces({ command: 'node', args: ['my server.js'] }).map(({ path }) => path)).toContain(
      'my server.js',
    )
    const traces = launcherTraces({ command: 'C:\\Program Files\\nodejs\\npx.cmd', args: ['mcp-a'] })
    expect(traces.map(({ path }) => path)).toContain('node_modules/.bin/mcp-a')
  })

  test.each([
    ['/opt/mcp/server'],
    ['mcp-server-git'],
    ['node /opt/mcp/server.js'],
    ['python3 /opt/mcp/server.py'],
    ['python3'],
    ['/opt/server constructor toString __proto__'],
    ['docker run -i --rm node npx -y mcp-a'],
    ['node file:///opt/server.js'],
    ['uv --directory /opt/server run server'],
    ['uv run --project=/opt/server server'],
    ['npx -y --prefix /opt/tools mcp-a'],
    ['pnpm -C /opt/server start'],
  ])('%s starts the same program in every folder', (line) => {
    expect(launcherTraces(toCommand(line))).toEqual([])
  })

  test('only what the package is called by counts in package.json', () => {
    const mentions = launcherTraces(toCommand('npx -y @scope/mcp-a@1.2.3 start')).map(
      ({ mention }) => mention,
    )
    const counts = (text: string) => mentions.some((mention) => mention?.test(text) === true)
    for (const text of [
      '{"dependencies":{"@scope/mcp-a":"1"}}',
      '{"bin":{"mcp-a":"x"}}',
      String.raw`{"\u006dcp-a":"1"}`,
    ])
      expect(counts(text)).toBe(true)
    for (const text of ['{"dependencies":{"mcp-ab":"1"}}', '{"scripts":{"start":"x"}}'])
      expect(counts(text)).toBe(false)
  })
})

test.each<[line: string, at: number | undefined]>([
  ['npx -y mcp-a', 0],
  ['cmd /c npx -y mcp-a', 2],
  ['npx --prefix /opt/tools mcp-a', undefined],
  ['npx --prefix=/opt/tools mcp-a', undefined],
  ['docker run node npx mcp-a', undefined],
  ['node server.js', undefined],
])('the place for options of npx in: %s', (line, at) => {
  expect(npxOptionsAt(toCommand(line))).toBe(at)
})

test.each([
  ['python3 -m a', true],
  ['python -c x', true],
  ['python3 /opt/a.py', false],
  ['node -c x', false],
])('%s imports modules from the folder: %s', (line, expected) => {
  expect(importsFromFolder(toCommand(line))).toBe(expected)
})
