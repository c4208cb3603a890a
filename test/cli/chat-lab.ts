import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ostlerScript } from '../support/acp-harness.ts'
import { coverageDir, isCovered } from '../support/coverage-dir.ts'
import { descendantsOf, until } from '../support/processes.ts'
import { createTerminalScreen, type TerminalScreen } from '../support/terminal-screen.ts'
import type { RunLab } from './run-lab.ts'

const columns = 80
const rows = 24

export interface Chat extends AsyncDisposable {
  readonly screen: TerminalScreen
  /** Everything that was written to the terminal. */
  readonly output: () => string
  press(keys: string): void
  /** Waits until the text is on the screen, or above it. */
  shows(text: string | RegExp): Promise<void>
  /** Resolves once the prompt is answered: before, the chat cannot be ended. */
  answered(): Promise<void>
  /** Waits until keys count as an answer to a question. */
  waitToRead(): Promise<void>
  /** Answers a question about a call, once keys count as an answer. */
  answer(key: string): Promise<void>
  /** The process of the chat. */
  pid(): Promise<number>
  /** Changes the size of the terminal, as a person who drags its corner. */
  resize(columns: number, rows: number): Promise<void>
  /** The modes of the terminal while the chat is stopped. */
  stopped(): Promise<string>
  /** Settles with the exit code and the modes of the terminal before and after the chat. */
  readonly ended: Promise<{ readonly code: number; readonly before: string; readonly after: string }>
}

export interface ChatOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
  /** The chat is a job of a shell, started by a script. When it stops, the shell shows "stopped", and continues it after a line is typed. */
  readonly isJob?: boolean
}

/** Keys that are pressed earlier than this are ignored, because they were meant for something else. */
const readingMs = 600

/** Starts a chat on a terminal of 80 columns and 24 rows. */
export function openChat(
  lab: RunLab,
  args: readonly string[] = [],
  { env = {}, nodeArgs = [], isJob = false }: ChatOptions = {},
): Chat {
  const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
  // A chat needs a terminal, so it runs in no worker. If coverage is measured, chats therefore run from the sources, except those in which the
  // way the process starts is the point.
  const isCounted = isCovered && nodeArgs.length === 0 && !isJob
  const script = isCounted ? join(import.meta.dirname, '../support/run-sources.mjs') : ostlerScript
  const ostler = [process.execPath, ...nodeArgs, script, 'chat', ...args].map(quote).join(' ')
  const file = (name: string) => quote(join(lab.path, name))
  const job = `set -m; sh -c ${quote(`${ostler}; exit $?`)}; stty -g > ${file('.stopped')}; echo stopped; read line; fg > /dev/null`
  const line = [
    `stty cols ${columns} rows ${rows}; tty > ${file('.tty')}; stty -g > ${file('.before')}`,
    isJob ? job : ostler,
    `code=$?; stty -g > ${file('.after')}; exit $code`,
  ].join('\n')
  const child = spawn('/usr/bin/script', ['-qec', line, '/dev/null'], {
    cwd: lab.path,
    env: {
      ...lab.env,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      ...(isCounted && { NODE_V8_COVERAGE: coverageDir('integration') }),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const screen = createTerminalScreen(columns, rows)
  const read = (name: string) => readFile(join(lab.path, name), 'utf8')
  let output = ''
  let problem: unknown
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    try {
      screen.write(chunk)
    } catch (error) {
      problem ??= error
    }
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve)).then(async (code) => {
    if (problem !== undefined) throw problem
    return { code: code ?? -1, before: await read('.before'), after: await read('.after') }
  })
  ended.catch(() => undefined)
  const chat: Chat = {
    screen,
    output: () => output,
    press: (keys) => void child.stdin.write(keys),
    async shows(text) {
      await until(`${String(text)} on the screen, which shows:\n${screen.text()}`, () => {
        if (problem !== undefined) throw problem
        return typeof text === 'string' ? screen.text().includes(text) : text.test(screen.text())
      }).catch((error: unknown) => {
        throw new Error(`never shown: ${String(text)}; the screen shows:\n${screen.text()}`, { cause: error })
      })
    },
    async answered() {
      await until('the end of the answer', () => !screen.text().includes('(Esc cancels)'))
    },
    async waitToRead() {
      await sleep(readingMs)
    },
    async answer(key) {
      await chat.shows('Allow this call?')
      await chat.waitToRead()
      chat.press(key)
    },
    async pid() {
      // The first is the shell.
      const [, pid] = await descendantsOf(child.pid ?? 0)
      if (pid === undefined) throw new Error('the chat does not run')
      return pid
    },
    async resize(toColumns, toRows) {
      screen.resize(toColumns, toRows)
      const terminal = (await read('.tty')).trim()
      await promisify(execFile)('stty', ['-F', terminal, 'cols', String(toColumns), 'rows', String(toRows)])
    },
    stopped: () => read('.stopped'),
    ended,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill('SIGTERM')
      await ended.catch(() => undefined)
    },
  }
  return chat
}
