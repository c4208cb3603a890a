import { spawn, type ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { baseEnv, ostlerScript } from '../support/acp-harness.ts'
import { startLoopbackModel, type LoopbackModel, type Script } from '../support/loopback-model/index.ts'
import { runCli, type CliResult } from '../support/run-cli.ts'
import { openTempDir } from '../support/temp-dir.ts'

/** A folder with a home of its own, and a scripted model, for commands that open a session. */
export interface RunLab extends AsyncDisposable {
  /** The working directory. */
  readonly path: string
  readonly env: Readonly<Record<string, string>>
  readonly model: LoopbackModel
  /** Runs a command in this process. */
  run(args: readonly string[], options?: LabOptions): Promise<CliResult>
  /** Starts a process, for tests about its signals and its streams. */
  start(args: readonly string[], options?: LabOptions): Started
}

export interface LabOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Started {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Promise<CliResult>
}

export async function openRunLab(
  script: Script = () => ({ text: 'hello' }),
  agentFile?: object,
): Promise<RunLab> {
  const dir = await openTempDir()
  const home = await openTempDir('ostler-home-')
  const model = await startLoopbackModel({ vendor: 'anthropic', script })
  const file = join(home.path, 'agent.json')
  await writeFile(file, JSON.stringify({ model: model.modelId, ...agentFile }))
  const env = { ...baseEnv, HOME: home.path, OSTLER_AGENT: file, ...model.env }
  const lab: RunLab = {
    path: dir.path,
    env,
    model,
    run: (args, { input, env: more } = {}) =>
      runCli(args, { cwd: dir.path, env: { ...env, ...more }, ...(input !== undefined && { input }) }),
    start(args, { input, env: more } = {}) {
      const child = spawn(process.execPath, [ostlerScript, ...args], {
        cwd: dir.path,
        env: { ...env, ...more },
        stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        // A session of its own, so that it has no terminal, even if this process has one.
        detached: true,
      })
      child.stdin?.end(input)
      let [stdout, stderr] = ['', '']
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
      child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
      const ended = new Promise<CliResult>((resolve) =>
        child.on('close', (code) => resolve({ code, stdout, stderr })),
      )
      return { child, stdout: () => stdout, stderr: () => stderr, ended }
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await home[Symbol.asyncDispose]()
      await dir[Symbol.asyncDispose]()
    },
  }
  return lab
}

/** The events of `ostler run --json`. */
export function eventsIn(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
