import type { Choice } from '../../client/person.ts'
import {
  editLine,
  emptyLine,
  insertText,
  lineOf,
  type EditedLine,
  type Key,
} from '../../terminal/edit-line.ts'

/** Everything that the keys of a chat change, and their current meaning. */
export interface ChatState {
  readonly line: EditedLine
  readonly asked: Asked
  readonly isBusy: boolean
  /** Pasted line ends are text. */
  readonly isPasting: boolean
  /** Earlier lines, and the index of the one that is shown. An index of `recalled.length` means the line that is being typed. */
  readonly recalled: { readonly lines: readonly string[]; readonly at: number; readonly draft: string }
  /** Completions of the line, shown below it. */
  readonly menu: readonly Completion[]
  /** A sentence for the person, until the next key. */
  readonly hint: string
  /** The line that was being typed when a question appeared. */
  readonly kept: EditedLine
}

export interface Completion {
  /** The whole line with the completion. */
  readonly line: string
  readonly label: string
  readonly description?: string
}

export type Asked =
  | { readonly type: 'prompt' }
  | { readonly type: 'line'; readonly label: string }
  /** Keys before `from` were typed before the person could read the question. */
  | {
      readonly type: 'choice'
      readonly label: string
      readonly choices: readonly Choice[]
      readonly from: number
    }

/** An effect of a key besides the new state. */
export type Effect =
  | { readonly type: 'submit'; readonly text: string }
  | { readonly type: 'choose'; readonly id: string }
  /** Ends a question without an answer, and the turn. */
  | { readonly type: 'cancel' }
  | { readonly type: 'end' }
  | { readonly type: 'complete' | 'clear' | 'suspend' }

export interface Pressed {
  readonly state: ChatState
  readonly effect?: Effect
}

/**
 * A key that is pressed this soon after a question appears, or after a key that is not an answer, was meant
 * for something else.
 */
export const quietMs = 400

export const firstState: ChatState = {
  line: emptyLine,
  asked: { type: 'prompt' },
  isBusy: false,
  isPasting: false,
  recalled: { lines: [], at: 0, draft: '' },
  menu: [],
  hint: '',
  kept: emptyLine,
}

export function pressKey(before: ChatState, key: Key, now: number): Pressed {
  const state = before.hint === '' ? before : { ...before, hint: '' }
  if (key.name === 'paste-start') return { state: { ...state, isPasting: true } }
  if (key.name === 'paste-end') return { state: { ...state, isPasting: false } }
  if (state.isPasting) return paste(state, key)
  return (
    controlKey(state, key, before.hint) ??
    (state.asked.type === 'choice' ? choose(state, state.asked, key, now) : type(state, key))
  )
}

function paste(state: ChatState, key: Key): Pressed {
  if (state.asked.type === 'choice') return { state }
  const isLineEnd = key.name === 'return' || key.name === 'enter'
  const text = isLineEnd ? (state.asked.type === 'line' ? ' ' : '\n') : key.name === 'tab' ? '\t' : key.text
  return { state: { ...state, line: insertText(state.line, text) } }
}

const exitHint = 'Press Ctrl-C again to exit.'
const waitHint = 'Wait for the answer, or press Esc to cancel it.'

/** Keys that mean the same everywhere. */
function controlKey(state: ChatState, { name, ctrl, meta }: Key, hint: string): Pressed | undefined {
  const isQuestion = state.asked.type !== 'prompt'
  const isEscape = name === 'escape' || (ctrl === true && name === '[')
  if (isEscape && !(meta === true && !isQuestion && !state.isBusy)) {
    if (isQuestion || state.isBusy) return { state, effect: { type: 'cancel' } }
    return { state: { ...state, menu: [] } }
  }
  if (ctrl !== true) return undefined
  switch (name) {
    case 'c':
      if (isQuestion || state.isBusy) return { state, effect: { type: 'cancel' } }
      if (state.line.text !== '') return { state: { ...state, line: emptyLine, menu: [] } }
      return hint === exitHint ? { state, effect: { type: 'end' } } : { state: { ...state, hint: exitHint } }
    case 'd':
      if (isQuestion) return { state, effect: { type: 'cancel' } }
      if (state.line.text !== '')
        return { state: { ...state, line: editLine(state.line, { name: 'delete', text: '' }) ?? state.line } }
      return state.isBusy ? { state: { ...state, hint: waitHint } } : { state, effect: { type: 'end' } }
    case 'l':
      return { state, effect: { type: 'clear' } }
    case 'z':
      return { state, effect: { type: 'suspend' } }
    default:
      return undefined
  }
}

function choose(
  state: ChatState,
  asked: Extract<Asked, { type: 'choice' }>,
  { text }: Key,
  now: number,
): Pressed {
  const chosen = now < asked.from ? undefined : asked.choices.find(({ key }) => key === text.toLowerCase())
  if (chosen !== undefined) return { state, effect: { type: 'choose', id: chosen.id } }
  // The letters of a word that a person types are not answers.
  return { state: { ...state, asked: { ...asked, from: now + quietMs } } }
}

function type(state: ChatState, key: Key): Pressed {
  const isLineEnd = (key.name === 'return' || key.name === 'enter') && !key.meta
  if (isLineEnd && !key.ctrl) return submit(state)
  if (key.name === 'tab') return { state, effect: { type: 'complete' } }
  if (key.name === 'up' || (key.ctrl === true && key.name === 'p')) return { state: recall(state, -1) }
  if (key.name === 'down' || (key.ctrl === true && key.name === 'n')) return { state: recall(state, 1) }
  const line = editLine(state.line, key)
  return { state: line === undefined ? state : { ...state, line } }
}

function submit(state: ChatState): Pressed {
  const { line, asked, isBusy } = state
  if (asked.type === 'prompt') {
    if (isBusy) return { state: { ...state, hint: waitHint } }
    // Works as in a shell.
    if (line.text.endsWith('\\')) return { state: { ...state, line: lineOf(`${line.text.slice(0, -1)}\n`) } }
    if (line.text.trim() === '') return { state: { ...state, line: emptyLine } }
  }
  return { state: { ...state, line: emptyLine, menu: [] }, effect: { type: 'submit', text: line.text } }
}

function recall(state: ChatState, by: -1 | 1): ChatState {
  const { lines, at, draft } = state.recalled
  const next = at + by
  if (state.asked.type !== 'prompt' || next < 0 || next > lines.length) return state
  const typed = at === lines.length ? state.line.text : draft
  const line = lineOf(next === lines.length ? typed : (lines[next] ?? ''))
  return { ...state, line, recalled: { lines, at: next, draft: typed } }
}

export function withRecalled(state: ChatState, lines: readonly string[]): ChatState {
  return { ...state, recalled: { lines, at: lines.length, draft: '' } }
}

/** Asks a question. The line that is being typed returns afterwards. */
export function ask(state: ChatState, asked: Exclude<Asked, { type: 'prompt' }>): ChatState {
  const kept = state.asked.type === 'prompt' ? state.line : state.kept
  return { ...state, asked, kept, line: emptyLine, menu: [] }
}

export function endQuestion(state: ChatState): ChatState {
  return { ...state, asked: { type: 'prompt' }, line: state.kept, kept: emptyLine }
}

/** Completes the line as far as all completions agree, and lists them if there are several. */
export function withCompletions(state: ChatState, found: readonly Completion[]): ChatState {
  const [first, ...others] = found
  if (first === undefined) return state
  if (others.length === 0) return { ...state, line: lineOf(first.line), menu: [] }
  const common = others.reduce((prefix, { line }) => commonPrefix(prefix, line), first.line)
  const isLonger = common.length > state.line.text.length
  return { ...state, line: lineOf(isLonger ? common : state.line.text), menu: found }
}

function commonPrefix(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, length)
}
