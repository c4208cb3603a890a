import type { JsonSchema, ToolResult } from '../messages/tool.ts'
import { findProblems } from './find-problems.ts'

const problemsShown = 3

/**
 * Adds a note to a result that does not match its tool's output schema. This is not a failure: the tool has run, and a model can still read
 * the result.
 */
export function checkOutput(result: ToolResult, schema: JsonSchema | undefined): ToolResult {
  if (schema === undefined || result.isError) return result
  const problem =
    result.structured === undefined
      ? 'it is missing'
      : describeProblems(findProblems(schema, result.structured))
  if (problem === undefined) return result
  const note = `[Note: the structured result does not match what the tool declares: ${problem}.]`
  return { ...result, content: [...result.content, { type: 'text', text: note }] }
}

function describeProblems(problems: readonly string[]): string | undefined {
  if (problems.length === 0) return undefined
  const shown = problems.slice(0, problemsShown).map((problem) => problem.replace(/^the arguments /, 'it '))
  return [
    ...shown,
    ...(problems.length > problemsShown ? [`and ${problems.length - problemsShown} more`] : []),
  ].join('; ')
}
