import type { Person } from '../../client/person.ts'
import type { Io } from '../../io.ts'
import type { Key } from '../../terminal/edit-line.ts'
import { openRawTerminal } from '../../terminal/raw-terminal.ts'
import { ask, endQuestion, pressKey, quietMs, withRecalled, type Completion, type Effect } from './chat-state.ts'
import { openPainter } from './open-painter.ts'
import type { Status } from './to-live-rows.ts'

/** The terminal of a chat: rows that stay, and below them what is being typed and asked. */
export interface Screen extends Person, Disposable {
  readonly rows: () => number
  /** Waits for a prompt. Undefined at the end. */
  readPrompt(): Promise<string | undefined>
  /** Says that a prompt is being answered, until the next is read. */
  setBusy(): void
  setStatus(change: Partial<Status>): void
  /** Shows the row of the answer that is still growing. */
  setTail(tail: string): void
  setRecalled(lines: readonly string[]): void
  /** Call when there are other completions. */
  refreshMenu(): void
  /** Ends the waiting for a prompt. */
  end(): void
}

export interface ScreenOptions {
  readonly onCancel: () => void
  /** Completions of a line: those to show while it is typed, or those that Tab asks for. */
  readonly complete: (line: string, isAsked: boolean) => readonly Completion[]
}

type Answer = (text: string | undefined) => void

export function openScreen(io: Io, { onCancel, complete }: ScreenOptions): Screen {
  const { stdin: input, stdout: output } = io
  const painter = openPainter(io)
  const { change, shown, size } = painter
  const waiting: { prompt?: Answer; question?: Answer } = {}

  function onKey(key: Key): void {
    const before = shown().state
    const { state, effect } = pressKey(before, key, Date.now())
    const isTyped = state.line !== before.line && state.asked.type === 'prompt'
    change({ state: isTyped ? { ...state, menu: complete(state.line.text, false) } : state })
    if (effect !== undefined) perform(effect)
  }

  function perform(effect: Effect): void {
    switch (effect.type) {
      case 'submit':
        return answer(effect.text)
      case 'choose':
        return answerQuestion(effect.id)
      case 'cancel':
        answerQuestion(undefined)
        return onCancel()
      case 'end':
        return screen.end()
      case 'complete':
        return completeLine()
      case 'clear':
        painter.eraseScreen()
        return
      case 'suspend':
        return suspend()
    }
  }

  function answer(text: string): void {
    if (waiting.question !== undefined) return answerQuestion(text)
    const { prompt } = waiting
    delete waiting.prompt
    prompt?.(text)
  }

  function answerQuestion(text: string | undefined): void {
    const { question } = waiting
    if (question === undefined) return
    delete waiting.question
    change({ state: endQuestion(shown().state) })
    question(text)
  }

  function completeLine(): void {
    const { state } = shown()
    if (state.asked.type !== 'prompt') return
    const found = complete(state.line.text, true)
    const [first] = found
    if (first === undefined) return
    const common = found.reduce((prefix, { line }) => commonPrefix(prefix, line), first.line)
    const line =
      found.length === 1 || common.length <= state.line.text.length ? (found.length === 1 ? first.line : state.line.text) : common
    change({ state: { ...state, line: { text: line, cursor: line.length }, menu: found.length === 1 ? [] : found } })
  }

  /** Ctrl-Z. The shell continues the process with SIGCONT. */
  function suspend(): void {
    painter.erase()
    raw.suspend()
    io.suspend(() => {
      raw.resume()
      change({})
    })
  }

  function question(asked: Parameters<typeof ask>[1], signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return Promise.resolve(undefined)
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const stop = () => answerQuestion(undefined)
    signal.addEventListener('abort', stop, { once: true })
    waiting.question = resolve
    change({ state: ask(shown().state, asked) })
    return promise.finally(() => signal.removeEventListener('abort', stop))
  }

  const raw = openRawTerminal(io, { input, output, onKey })
  input.on('end', () => screen.end())
  const screen: Screen = {
    style: painter.style,
    columns: () => size().columns - 1,
    rows: () => size().rows,
    show: (rows) => change({ above: [...shown().above, ...rows] }),
    choose: (label, choices, signal) => question({ type: 'choice', label, choices, from: Date.now() + quietMs }, signal),
    ask: (label, signal) => question({ type: 'line', label }, signal),
    readPrompt() {
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      waiting.prompt = resolve
      change({ state: { ...shown().state, isBusy: false } })
      return promise
    },
    setBusy() {
      change({ busySince: Date.now(), state: { ...shown().state, isBusy: true }, status: { ...shown().status, doing: 'Thinking' } })
    },
    setStatus: (status) => change({ status: { ...shown().status, ...status } }),
    setTail: (tail) => change({ tail }),
    setRecalled: (lines) => change({ state: withRecalled(shown().state, lines) }),
    refreshMenu() {
      const { state } = shown()
      if (state.asked.type === 'prompt' && state.line.text !== '') change({ state: { ...state, menu: complete(state.line.text, false) } })
    },
    end() {
      answerQuestion(undefined)
      waiting.prompt?.(undefined)
      delete waiting.prompt
    },
    [Symbol.dispose]() {
      painter[Symbol.dispose]()
      raw[Symbol.dispose]()
    },
  }
  return screen
}

function commonPrefix(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, length)
}
