import type { Person } from '../../client/person.ts'
import type { Key } from '../../terminal/edit-line.ts'
import type { Io } from '../../terminal/io.ts'
import { createLiveRegion } from '../../terminal/live-region.ts'
import { openRawTerminal } from '../../terminal/raw-terminal.ts'
import { styleFor } from '../../terminal/style.ts'
import {
  ask,
  endQuestion,
  firstState,
  pressKey,
  quietMs,
  withCompletions,
  withRecalled,
  type Completion,
  type Effect,
} from './chat-state.ts'
import { toLiveRows, type Size, type Status, type View } from './to-live-rows.ts'

export type Screen = ReturnType<typeof openScreen>

interface ScreenOptions {
  readonly onCancel: () => void
  /** Completions of a line: those to show while it is typed, or those that Tab asks for. */
  readonly complete: (line: string, isAsked: boolean) => readonly Completion[]
}

type Answer = (text: string | undefined) => void

/** The terminal of a chat: rows that stay, and below them what is being typed and asked. */
export function openScreen(io: Io, { onCancel, complete }: ScreenOptions) {
  const painter = openPainter(io)
  const { change, shown, size } = painter
  const answers = createAnswers(painter)

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
        return answers.submit(effect.text)
      case 'choose':
        return answers.answer(effect.id)
      case 'cancel':
        answers.answer(undefined)
        return onCancel()
      case 'end':
        return answers.end()
      case 'complete':
        return completeLine()
      case 'clear':
        painter.eraseScreen()
        return
      case 'suspend':
        return suspend()
    }
  }

  function completeLine(): void {
    const { state } = shown()
    if (state.asked.type !== 'prompt') return
    change({ state: withCompletions(state, complete(state.line.text, true)) })
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

  const raw = openRawTerminal(io, onKey)
  io.stdin.on('end', answers.end)
  const person: Person = {
    style: painter.style,
    columns: () => size().columns - 1,
    show: (rows) => change({ above: [...shown().above, ...rows] }),
    choose: (label, choices, signal) =>
      answers.question({ type: 'choice', label, choices, from: Date.now() + quietMs }, signal),
    ask: (label, signal) => answers.question({ type: 'line', label }, signal),
  }
  return {
    ...person,
    /** Waits for a prompt. Undefined at the end. */
    readPrompt: answers.prompt,
    /** Says that a prompt is being answered, until the next is read. */
    setBusy(): void {
      change({
        busySince: Date.now(),
        state: { ...shown().state, isBusy: true },
        status: { ...shown().status, doing: 'Thinking' },
      })
    },
    setStatus: (status: Partial<Status>) => change({ status: { ...shown().status, ...status } }),
    /** Shows the row of the answer that is still growing. */
    setTail: (tail: string) => change({ tail }),
    setRecalled: (lines: readonly string[]) => change({ state: withRecalled(shown().state, lines) }),
    /** Call when there are other completions. */
    refreshMenu(): void {
      const { state } = shown()
      if (state.asked.type === 'prompt' && state.line.text !== '')
        change({ state: { ...state, menu: complete(state.line.text, false) } })
    },
    /** Stops waiting for a prompt. */
    end: answers.end,
    [Symbol.dispose](): void {
      painter[Symbol.dispose]()
      raw[Symbol.dispose]()
    },
  }
}

/** The answers that are awaited: to a question, or else the next prompt. */
function createAnswers({ change, shown }: Painter) {
  let prompt: Answer | undefined
  let question: Answer | undefined

  function answer(text: string | undefined): void {
    const asker = question
    if (asker === undefined) return
    question = undefined
    change({ state: endQuestion(shown().state) })
    asker(text)
  }

  function answerPrompt(text: string | undefined): void {
    const asker = prompt
    prompt = undefined
    asker?.(text)
  }

  return {
    /** Answers the open question. Undefined means no answer. */
    answer,
    submit: (text: string) => (question === undefined ? answerPrompt(text) : answer(text)),
    end() {
      answer(undefined)
      answerPrompt(undefined)
    },
    prompt() {
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      prompt = resolve
      change({ state: { ...shown().state, isBusy: false } })
      return promise
    },
    question(asked: Parameters<typeof ask>[1], signal: AbortSignal): Promise<string | undefined> {
      if (signal.aborted) return Promise.resolve(undefined)
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      const stop = () => answer(undefined)
      signal.addEventListener('abort', stop, { once: true })
      question = resolve
      change({ state: ask(shown().state, asked) })
      return promise.finally(() => signal.removeEventListener('abort', stop))
    },
  }
}

/** The contents of the screen: the rows that change, and the rows to print above them. */
interface Shown extends View {
  readonly above: readonly string[]
  /** The time at which the activity in the status began. */
  readonly busySince: number
}

type Painter = ReturnType<typeof openPainter>

const drawEveryMs = 30
const clockEveryMs = 1_000
const defaultSize: Size = { columns: 80, rows: 24 }

/** Keeps the screen up to date with the view. Disposing it leaves only the rows that stay. */
function openPainter({ stdout: output, env }: Io) {
  const style = styleFor(output, env)
  const region = createLiveRegion(output)
  const status = { model: '', mode: '', contextUsed: 0, contextSize: 0, doing: 'Starting', doingMs: 0 }
  let shown: Shown = {
    state: { ...firstState, isBusy: true },
    status,
    tail: '',
    above: [],
    busySince: Date.now(),
  }
  let drawing: NodeJS.Timeout | undefined
  const size = (): Size => ({
    columns: output.columns || defaultSize.columns,
    rows: output.rows || defaultSize.rows,
  })

  function change(next: Partial<Shown>): void {
    shown = { ...shown, ...next }
    drawing ??= setTimeout(draw, drawEveryMs)
  }

  function draw(): void {
    clearTimeout(drawing)
    drawing = undefined
    const doingMs = shown.state.isBusy ? Date.now() - shown.busySince : 0
    region.draw(shown.above, toLiveRows({ ...shown, status: { ...shown.status, doingMs } }, size(), style))
    shown = { ...shown, above: [] }
  }

  const clock = setInterval(() => shown.state.isBusy && change({}), clockEveryMs)
  const onResize = () => change({})
  output.on('resize', onResize)
  draw()
  return {
    style,
    size,
    shown: () => shown,
    change,
    /** Removes the rows that change, until the next change. */
    erase: region.erase,
    eraseScreen: region.eraseScreen,
    [Symbol.dispose](): void {
      clearInterval(clock)
      clearTimeout(drawing)
      output.off('resize', onResize)
      region.erase()
      if (shown.above.length > 0) output.write(`${shown.above.join('\n')}\n`)
    },
  }
}
