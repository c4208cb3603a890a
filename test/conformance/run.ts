import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { baseEnv } from '../support/ostler-script.ts'

export interface Run {
  readonly code: number | null
  readonly output: string
}

/** Runs a program to its end, and returns all its output. */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Run> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...baseEnv, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
