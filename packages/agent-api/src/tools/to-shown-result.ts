import type { Redactor } from '../redaction/redact.ts'
import { boundResult } from './bound-result.ts'
import { cleanResult } from '../redaction/redact-result.ts'
import { capResult } from './cap-result.ts'
import type { ToolResult } from '../messages/tool.ts'
import { withoutLongDiffs } from './without-long-diffs.ts'
import { withoutFiles } from '../messages/without-files.ts'

/** Prepares a result for the model, the editor and the history: cleans, redacts and caps it. */
export function toShownResult(result: ToolResult, redactor: Redactor): ToolResult {
  const { structured } = result
  const content = withoutLongDiffs(result.content)
  const bound = boundResult(
    { ...result, content, ...(structured !== undefined && { structured: withoutFiles(structured, content) }) },
    redactor,
  )
  return capResult(cleanResult(bound.result, redactor), bound)
}
