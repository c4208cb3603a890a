import type { Redactor } from '../secrets/redact.ts'
import { boundResult } from './bound-result.ts'
import { capResult, cleanResult } from './tool-result.ts'
import type { ToolResult } from './tool.ts'

/** A result as a model, an editor and the history have it: cleaned, without secrets, and no larger than a conversation can bear. */
export function toShownResult(result: ToolResult, redactor: Redactor): ToolResult {
  const bound = boundResult(result, redactor)
  return capResult(cleanResult(bound.result, redactor), bound)
}
