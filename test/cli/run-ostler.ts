import { spawn } from 'node:child_process'
import { baseEnv, ostlerScript } from '../support/acp-harness.ts'

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built command to its end. Its stdin is empty unless `input` is given. */
export async function runOstler(
  args: readonly string[],
  options: { node?: string; env?: Record<string, string>; cwd?: string; input?: string } = {},
): Promise<CliResult> {
  const child = spawn(options.node ?? process.execPath, [ostlerScript, ...args], {
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { ...baseEnv, HOME: '/proc/nowhere', ...options.env },
    cwd: options.cwd,
  })
  child.stdin?.end(options.input)
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout, stderr }
}
