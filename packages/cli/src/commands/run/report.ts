import type { SessionUpdate, ToolCallContent } from '@ostler/acp-server'
import type { Io } from '../../terminal/io.ts'
import { toJsonLine } from '../../terminal/print.ts'
import { noticeText, waitText } from '../../client/notice-text.ts'
import { toErrorText, toSafeLine, toSafeText } from '../../terminal/safe-text.ts'
import { createHold } from './create-hold.ts'
import { toEvent, type RunEvent } from './to-event.ts'

export interface Report {
  update(update: SessionUpdate): void
  event(event: RunEvent): void
  /** Ends the current line, so that a question begins on its own. Holds back what happens until `resume`. */
  pause(): void
  resume(): void
  /** Returns the answer: the text after the last tool call, without the message of an error. */
  finish(errorId?: string): Finished
}

export interface Finished {
  readonly answer: string
  readonly error: string | undefined
}

interface Said {
  readonly messageId: string | null | undefined
  readonly text: string
}

function withChunk(said: readonly Said[], messageId: Said['messageId'], text: string): readonly Said[] {
  const last = said.at(-1)
  return last !== undefined && last.messageId === messageId
    ? [...said.slice(0, -1), { messageId, text: last.text + text }]
    : [...said, { messageId, text }]
}

function toFinished(said: readonly Said[], errorId: string | undefined): Finished {
  const isError = (each: Said) => errorId !== undefined && each.messageId === errorId
  const answer = joined(said.filter((each) => !isError(each)))
  return { answer, error: said.find(isError)?.text }
}

/** A blank line separates two messages in a row, such as a note of Ostler and the answer. */
function joined(said: readonly Said[]): string {
  return said.map(({ text }, index) => (index < said.length - 1 ? `${text.trimEnd()}\n\n` : text)).join('')
}

/** The events of `--json`, one per line. */
export function createJsonReport({ stdout }: Pick<Io, 'stdout'>): Report {
  let said: readonly Said[] = []
  const write = (event: RunEvent) => void stdout.write(toJsonLine(event))
  return {
    update(update) {
      const event = toEvent(update)
      if (event === undefined) return
      if (event.type === 'text') said = withChunk(said, event.messageId, event.text)
      if (event.type === 'tool_call') said = []
      write(event)
    },
    event: write,
    pause: () => undefined,
    resume: () => undefined,
    finish: (errorId) => toFinished(said, errorId),
  }
}

/**
 * The answer on stdout, and everything else on stderr. On a terminal, text is shown as it comes. Otherwise it
 * is held back: text before a tool call is not part of the answer, and only the call shows that.
 */
export function createTextReport({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>): Report {
  const isLive = stdout.isTTY === true
  const titles = new Map<string, string>()
  /** Why calls were not run. Empty for those that have begun, or that the person was asked about. */
  const reasons = new Map<string, string>()
  let said: readonly Said[] = []
  let isMidLine = false
  const { show, hold, resume } = createHold()

  function write(text: string): void {
    if (!isLive || text === '') return
    stdout.write(text)
    isMidLine = !text.endsWith('\n')
  }

  function breakLine(): void {
    if (isMidLine) write('\n')
  }

  function say(line: string): void {
    breakLine()
    stderr.write(`${line}\n`)
  }

  return {
    pause() {
      breakLine()
      hold()
    },
    resume,
    event(event) {
      if (event.type === 'question')
        reasons.set(event.id, event.answeredBy === 'flag' ? ': rejected by --approve none' : '')
    },
    update: (update) => show(() => showUpdate(update)),
    finish(errorId) {
      resume()
      const finished = toFinished(said, errorId)
      const { answer, error } = finished
      if (isLive) breakLine()
      else {
        if (answer !== '') stdout.write(answer.endsWith('\n') ? answer : `${answer}\n`)
        if (error !== undefined) stderr.write(`ostler: ${toErrorText(toSafeLine(error))}\n`)
      }
      return finished
    },
  }

  function showUpdate(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk': {
        if (update.content.type !== 'text') return
        const text = toSafeText(update.content.text)
        const before = said.length
        said = withChunk(said, update.messageId, text)
        if (before > 0 && said.length > before) write(isMidLine ? '\n\n' : '\n')
        write(text)
        return
      }
      case 'tool_call': {
        const text = joined(said).trimEnd()
        said = []
        breakLine()
        if (!isLive && text !== '') stderr.write(`${text}\n`)
        titles.set(update.toolCallId, toSafeLine(update.title))
        return
      }
      case 'tool_call_update': {
        const { toolCallId, title, status, content } = update
        if (status === 'in_progress') reasons.set(toolCallId, '')
        if (title) titles.set(toolCallId, toSafeLine(title))
        if (status !== 'completed' && status !== 'failed') return
        const reason = status === 'failed' ? (reasons.get(toolCallId) ?? firstSentence(content ?? [])) : ''
        say(
          `${status === 'completed' ? '✓' : '✗'} ${titles.get(toolCallId) ?? toSafeLine(toolCallId)}${reason}`,
        )
        titles.delete(toolCallId)
        reasons.delete(toolCallId)
        return
      }
      case 'notice':
        // An error also ends the prompt, and is reported then.
        if (update.severity === 'warning') say(`ostler: ${toErrorText(noticeText(update))}`)
        return
      case 'agent_thought_chunk': {
        const wait = waitText(update)
        if (wait !== undefined) say(`ostler: ${toErrorText(wait)}`)
        return
      }
      default:
    }
  }
}

/** Why a call was not run, in one clause. */
function firstSentence(content: readonly ToolCallContent[]): string {
  const [first] = content
  if (first?.type !== 'content' || first.content.type !== 'text') return ''
  return `: ${toSafeLine(first.content.text.split(/(?<=\.)\s|\n/)[0] ?? '')}`
}
