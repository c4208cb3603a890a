import { messageOf } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import { exceededLimit } from '../base/json-limits.ts'
import { findProblems } from './find-problems.ts'
import { mendArguments } from './mend-arguments.ts'
import type { JsonSchema, ToolArguments, ToolResult } from '../messages/tool.ts'

type ArgumentCheck =
  | { readonly ok: true; readonly args: ToolArguments; readonly notes?: readonly string[] }
  | { readonly ok: false; readonly problem: string }

const inputCharsMax = 1_000_000
const inputDepthMax = 200
const problemsShownMax = 8
const outputProblemsShownMax = 3

/** A problem is described so that the model can correct it. */
export function validateArguments(schema: JsonSchema, input: string): ArgumentCheck {
  const parsed = parseArguments(input)
  if (!parsed.ok) return parsed
  if (findProblems(schema, parsed.args).length === 0) return parsed
  const { args, notes } = mendArguments(schema, parsed.args)
  const problems = findProblems(schema, args)
  if (problems.length === 0) return { ok: true, args, notes }
  return {
    ok: false,
    problem: `The arguments do not match the tool's schema: ${list(problems, problemsShownMax)}`,
  }
}

function parseArguments(input: string): ArgumentCheck {
  const refuse = (problem: string): ArgumentCheck => ({ ok: false, problem })
  if (input.length > inputCharsMax)
    return refuse(`The arguments are too long: ${input.length} characters, at most ${inputCharsMax}.`)
  if (input.trim() === '') return { ok: true, args: {} }
  let value: unknown
  try {
    value = JSON.parse(input)
  } catch (error) {
    return refuse(`The arguments are not valid JSON: ${withoutExcerpt(messageOf(error))}`)
  }
  if (!isRecord(value)) return refuse('The arguments must be a JSON object.')
  if (exceededLimit(value, { depthMax: inputDepthMax, charsMax: Number.POSITIVE_INFINITY }) !== undefined)
    return refuse(`The arguments are nested deeper than ${inputDepthMax}.`)
  // A cheap check first: few texts contain the key, even partly escaped.
  if (/__proto__|\\u00/i.test(input) && hasPrototypeKey(value))
    return refuse('The arguments are not valid: the key __proto__ is not allowed.')
  return { ok: true, args: value }
}

/** The excerpt that the JSON parser quotes may contain a password. */
function withoutExcerpt(message: string): string {
  return message.replace(/, (?:\.\.\.)?"[^]*"(?:\.\.\.)? is not valid JSON$/, '')
}

/** In parsed JSON, `__proto__` is an own key, which becomes a prototype when the object is copied carelessly. */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey)
}

/** A wrong result is not a failure: the tool has run, and a model can still read it. */
export function checkOutput(result: ToolResult, schema: JsonSchema): ToolResult {
  if (result.isError) return result
  const { structured, content } = result
  const problems = structured === undefined ? ['it is missing'] : findProblems(schema, structured)
  if (problems.length === 0) return result
  const about = problems.map((problem) => problem.replace(/^the arguments /, 'it '))
  const note = `[Note: the structured result does not match what the tool declares: ${list(about, outputProblemsShownMax)}]`
  return { ...result, content: [...content, { type: 'text', text: note }] }
}

function list(problems: readonly string[], max: number): string {
  const shown = problems.slice(0, max)
  if (problems.length > max) shown.push(`and ${problems.length - max} more`)
  return `${shown.join('; ')}.`
}
