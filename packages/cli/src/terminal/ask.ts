import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { OstlerError } from '@ostler/agent-api'
import type { Io } from './io.ts'
import { toShown } from './safe-text.ts'

/** A terminal for questions. They go to stderr, because stdout is for the command's output. */
type Terminal = Pick<Io, 'stdin' | 'stderr'>

export function hasPerson({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY === true && stderr.isTTY === true
}

/** Anything but an explicit yes is a no, after which `refused` is said. */
export async function confirm(question: string, refused: string, terminal: Terminal): Promise<boolean> {
  const answer = await readAnswer(`${question} [y/N] `, terminal)
  const isYes = /^\s*y(es)?\s*$/i.test(answer ?? '')
  if (!isYes) terminal.stderr.write(`${refused}\n`)
  return isYes
}

export function askText(question: string, terminal: Terminal): Promise<string | undefined> {
  return readAnswer(`${question}: `, terminal)
}

export function askSecret(question: string, terminal: Terminal): Promise<string | undefined> {
  return readAnswer(`${question}: `, terminal, true)
}

async function readAnswer(
  question: string,
  { stdin, stderr }: Terminal,
  hidden = false,
): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: stdin,
    output: hidden ? nowhere : stderr,
    terminal: stdin.isTTY === true,
    historySize: 0,
  })
  // A prompt set through readline cannot be edited. When hidden, readline must not draw anything.
  if (hidden) stderr.write(toShown(question))
  else lines.setPrompt(toShown(question))
  try {
    const answer = Promise.withResolvers<string | undefined>()
    lines.once('line', answer.resolve)
    lines.once('close', () => answer.resolve(undefined))
    lines.once('SIGINT', () => answer.reject(new OstlerError('command.cancelled', 'Cancelled.')))
    if (!hidden) lines.prompt()
    return await answer.promise
  } finally {
    lines.close()
    if (hidden) stderr.write('\n')
  }
}
