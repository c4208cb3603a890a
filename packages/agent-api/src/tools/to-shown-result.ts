import type { Redactor } from '../redaction/redact.ts'
import { boundResult } from './bound-result.ts'
import { cleanResult } from '../redaction/redact-result.ts'
import { capResult } from './cap-result.ts'
import type { ToolResult } from '../messages/tool.ts'

/** A result as a model, an editor and the history have it: cleaned, without secrets, and no larger than a conversation can bear. */
export function toShownResult(result: ToolResult, redactor: Redactor): ToolResult {
  const bound = boundResult(result, redactor)
  return capResult(cleanResult(bound.result, redactor), bound)
}
