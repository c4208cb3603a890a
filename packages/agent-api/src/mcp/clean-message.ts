import { text, type ContentBlock } from '../messages/content.ts'
import type { Redactor } from '../redaction/redact.ts'
import { textOf } from '../messages/tool-output.ts'
import { cleanOutputs } from '../redaction/redact-result.ts'
import { fromMcpContent } from './from-mcp-content.ts'
import { readTextCharsMax } from './sanitize.ts'

/**
 * Cleans text that a server addresses to a model: a message of a prompt or of a sampling request. Text over the limit is replaced by a
 * note.
 */
export function cleanMessage(raw: unknown, redactor: Redactor): readonly ContentBlock[] {
  let charsLeft = readTextCharsMax
  const blocks = fromMcpContent(raw).map((block) => {
    const length = textOf(block)?.length ?? 0
    if (length > charsLeft)
      return text(`[a text was left out: the message is longer than ${readTextCharsMax} characters]`)
    charsLeft -= length
    return block
  })
  return cleanOutputs(blocks, redactor)
}
