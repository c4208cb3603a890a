import { join } from 'node:path'
import { fixtureServer } from '../support/agent-files.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { runCli, type CliOptions, type CliResult } from '../support/run-cli.ts'

/** `ostler mcp` with its own state and with secrets in an encrypted file. */
export interface McpLab extends AsyncDisposable {
  readonly path: string
  readonly stateDir: string
  readonly env: Record<string, string>
  run(args: readonly string[], options?: CliOptions): Promise<CliResult>
  json(args: readonly string[], env?: Record<string, string>): Promise<Record<string, unknown>>
  list(): Promise<readonly Record<string, unknown>[]>
}

export async function openMcpLab(): Promise<McpLab> {
  const dir = await openTempDir()
  const stateDir = join(dir.path, 'state')
  const env = {
    HOME: dir.path,
    XDG_CONFIG_HOME: join(dir.path, 'config'),
    XDG_STATE_HOME: dir.path,
    OSTLER_SECRET_STORE: 'file',
  }
  const run: McpLab['run'] = ([action = '', ...args], { env: more, ...options } = {}) =>
    runCli(['mcp', action, '--state-dir', stateDir, ...args], {
      cwd: dir.path,
      ...options,
      env: { ...env, ...more },
    })
  const json: McpLab['json'] = async ([action = '', ...args], more = {}) => {
    const { code, stdout, stderr } = await run([action, '--json', ...args], { env: more })
    if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`)
    return JSON.parse(stdout) as Record<string, unknown>
  }
  return {
    path: dir.path,
    stateDir,
    env,
    run,
    json,
    list: async () => (await json(['list']))['servers'] as Record<string, unknown>[],
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  }
}

/** The words after `--` for one of the tests' servers. */
export function serverCommand(fixture: string, ...args: readonly string[]): string[] {
  return ['--', process.execPath, fixtureServer(fixture), ...args]
}
