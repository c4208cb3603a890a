import { nextTurn } from '../base/in-slices.ts'
import type { SessionId, ToolCallId } from '../base/ids.ts'
import type { TextFilter } from './text-filter.ts'
import type { KeptResults } from '../state/calls/kept-results.ts'
import { isFor, textOf, toPlainText } from '../messages/tool-output.ts'
import { errorResult, objectSchema, textResult, type Tool, type ToolResult } from '../messages/tool.ts'
import { searchedCharsMax, resultTextCharsMax } from '../tools/cap-result.ts'
import { offerOwn, type OfferedTool } from '../tools/offered-tool.ts'

const resultKeptBytesMax = 16 * 1024 * 1024
/** A server must not fill the disk. */
const sessionKeptCharsMax = 64 * 1024 * 1024
const partChars = 64 * 1024
const readCharsDefault = 20_000
const readCharsMax = 50_000

/** Results that are too large for the conversation. They are kept whole, so that the model can read more of them. */
export interface SessionResults {
  /** If the result is too large, returns a sentence for the model that says where the whole is. */
  keep(result: ToolResult, callId: ToolCallId): Promise<string | undefined>
  readonly tools: readonly OfferedTool[]
}

export function createSessionResults(
  sessionId: SessionId,
  kept: KeptResults,
  openFilter: () => TextFilter,
): SessionResults {
  const reader = createReader(sessionId, kept)
  let hasAny: boolean | undefined

  return {
    async keep(result, callId) {
      const texts = result.content.filter((item) => isFor('assistant', item)).map(toPlainText)
      const length = result.content.reduce((sum, item) => sum + (textOf(item)?.length ?? 0), 0)
      if (length <= resultTextCharsMax) return undefined
      const whole = await write(texts.join('\n'), callId)
      if (whole === undefined) return 'the whole result could not be kept'
      hasAny = true
      const what = whole.isCut
        ? `the first ${resultKeptBytesMax / 1024 / 1024} MiB of the result are`
        : 'the whole result is'
      const call = JSON.stringify({ id: callId, offset: Math.min(resultTextCharsMax, whole.shownMin) })
      return `${what} kept: ${whole.length} characters. Read more with read_result ${call}`
    },
    get tools() {
      hasAny ??= kept.hasAny(sessionId)
      return hasAny ? [reader] : []
    },
  }

  /** True also if the history cannot be read now. */
  function isFull(): boolean {
    try {
      return kept.lengthOf(sessionId) > sessionKeptCharsMax
    } catch {
      return true
    }
  }

  /** Part by part, so that other work can run in between. Undefined if nothing could be stored. */
  async function write(text: string, callId: ToolCallId): Promise<KeptWhole | undefined> {
    const filter = openFilter()
    if (isFull()) return undefined
    let start = 0
    let line = 0
    let bytes = 0
    let shownMin = 0
    for (let at = 0; at < text.length;) {
      const end = endOfPart(text, at)
      const isLast = end === text.length
      const part = filter.push(text.slice(at, end)) + (isLast ? filter.end() : '')
      at = end
      bytes += Buffer.byteLength(part)
      if (bytes > resultKeptBytesMax) return { length: start, shownMin, isCut: true }
      if (part !== '' && !kept.add({ sessionId, callId, start, line, text: part })) {
        kept.remove(callId)
        return undefined
      }
      start += part.length
      line += part.split('\n').length - 1
      if (at <= searchedCharsMax) shownMin = start
      await nextTurn()
    }
    return { length: start, shownMin, isCut: false }
  }
}

interface KeptWhole {
  readonly length: number
  /** Characters that the model has certainly seen. Cleaning may have shortened them. */
  readonly shownMin: number
  readonly isCut: boolean
}

/** A surrogate pair is not split. */
function endOfPart(text: string, start: number): number {
  const end = Math.min(start + partChars, text.length)
  const last = text.charCodeAt(end - 1)
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end
}

const readerSchema = objectSchema(['id'], {
  id: { type: 'string', description: 'The id of the call whose result was cut' },
  offset: { type: 'integer', minimum: 0, description: 'Number of characters to skip' },
  line: {
    type: 'integer',
    minimum: 1,
    description: 'The first line to read, from 1, instead of an offset',
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: readCharsMax,
    description: `Characters to read; ${readCharsDefault} if not given`,
  },
})

function createReader(sessionId: SessionId, kept: KeptResults): OfferedTool {
  const tool: Tool = {
    ref: { server: null, tool: 'read_result' },
    description:
      'Reads more of a result of this session that was too large to be shown in full. The result says its id. Give an offset in characters, or a line.',
    inputSchema: readerSchema,
    kind: 'read',
    isInternal: true,
    execute: async (args) => {
      const { id, ...place } = args as { id: string; offset?: number; line?: number; limit?: number }
      const found = kept.read(sessionId, id, { limit: readCharsDefault, ...place })
      if (found === undefined)
        return errorResult(`No result is kept for ${JSON.stringify(id)} in this session.`)
      if (found.text === '')
        return errorResult(`The result ends before that: it has ${found.length} characters.`)
      const end = found.offset + found.text.length
      const rest = end < found.length ? ` Continue with offset ${end}.` : ' This is the end.'
      return textResult(`[Characters ${found.offset} to ${end} of ${found.length}.${rest}]\n${found.text}`)
    },
  }
  return offerOwn(tool)
}
