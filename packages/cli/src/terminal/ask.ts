import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { OstlerError } from '@ostler/agent-api'
import { toShown } from './format-table.ts'

/** Where a person is asked. Questions go to stderr: stdout is for the answer of the command. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

export const ownTerminal = (): Terminal => ({ input: process.stdin, output: process.stderr })

/** Whether there is anybody to ask. */
export function hasPerson({ input, output }: Terminal): boolean {
  return input.isTTY === true && output.isTTY === true
}

/** Anything but a yes is a no. */
export async function confirm(question: string, terminal: Terminal): Promise<boolean> {
  const answer = await readAnswer(`${question} [y/N] `, terminal)
  return /^\s*y(es)?\s*$/i.test(answer ?? '')
}

/** Undefined when there is no answer. */
export function askText(question: string, terminal: Terminal): Promise<string | undefined> {
  return readAnswer(`${question}: `, terminal)
}

/** As `askText`, but what is typed is not shown. */
export function askSecret(question: string, terminal: Terminal): Promise<string | undefined> {
  return readAnswer(`${question}: `, terminal, true)
}

async function readAnswer(question: string, { input, output }: Terminal, hidden = false): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: hidden ? nowhere : output, terminal: input.isTTY === true, historySize: 0 })
  // With a prompt of readline's own the line could be edited into the question; hidden, nothing of it may be drawn.
  if (hidden) output.write(toShown(question))
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
    if (hidden) output.write('\n')
  }
}
