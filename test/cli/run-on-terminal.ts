import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { baseEnv, ostlerScript } from '../support/acp-harness.ts'

/** `script` is part of util-linux, and provides a terminal. */
const script = '/usr/bin/script'

export const hasTerminal = process.platform === 'linux' && existsSync(script)

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Typed input, each sent once its question has been shown. */
  readonly typed?: readonly (readonly [question: string, keys: string])[]
}

export interface Shown {
  readonly code: number | null
  readonly shown: string
}

/** Runs the built command on its own terminal. Returns all its output as one text, as on a screen. */
export function runOnTerminal(args: readonly string[], options: TerminalOptions = {}): Promise<Shown> {
  const line = [process.execPath, ostlerScript, ...args]
    .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
    .join(' ')
  return runLineOnTerminal(line, options)
}

/** The same for a line of a shell. */
export async function runLineOnTerminal(
  line: string,
  { env = {}, cwd, typed = [] }: TerminalOptions = {},
): Promise<Shown> {
  const child = spawn(script, ['-qec', line, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...baseEnv, HOME: '/proc/nowhere', TERM: 'xterm', SHELL: '/bin/sh', ...env },
    cwd,
  })
  let shown = ''
  let answered = 0
  let from = 0
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    shown += chunk
    const next = typed[answered]
    const at = next === undefined ? -1 : shown.indexOf(next[0], from)
    if (next === undefined || at === -1) return
    from = at + next[0].length
    answered++
    child.stdin.write(next[1])
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (answered < typed.length) throw new Error(`never asked: ${typed[answered]?.[0]}; shown was:\n${shown}`)
  return { code, shown: shown.replaceAll('\r\n', '\n') }
}
