import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import { isRecord } from '../is-record.ts'
import type { JsonSchema, ToolArguments } from './tool.ts'

export type ArgumentCheck = { readonly ok: true; readonly args: ToolArguments } | { readonly ok: false; readonly problem: string }

const inputCharsMax = 1_000_000
const problemsShownMax = 8

/** From what the model wrote to arguments that fit the tool's schema, or to a sentence that helps the model to mend them. */
export function validateArguments(schema: JsonSchema, input: string): ArgumentCheck {
  const parsed = parseArguments(input)
  if (!parsed.ok) return parsed
  const validate = validatorFor(schema)
  if (validate === undefined || validate(parsed.args)) return parsed
  return { ok: false, problem: `The arguments do not fit the tool's schema: ${describeErrors(validate.errors ?? [])}` }
}

function parseArguments(input: string): ArgumentCheck {
  if (input.length > inputCharsMax)
    return { ok: false, problem: `The arguments are too long: ${input.length} characters, at most ${inputCharsMax}.` }
  if (input.trim() === '') return { ok: true, args: {} }
  try {
    const value: unknown = JSON.parse(input, refusePrototypeKeys)
    if (isRecord(value)) return { ok: true, args: value }
    return { ok: false, problem: 'The arguments must be a JSON object.' }
  } catch (error) {
    return { ok: false, problem: `The arguments are not valid JSON: ${error instanceof Error ? error.message : ''}` }
  }
}

/** `__proto__` in JSON is an own key that turns into a prototype at the first careless copy. */
function refusePrototypeKeys(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new Error('the key __proto__ is not allowed')
  return value
}

/** Compiling costs far more than checking, and a definition lives as long as its server's list. `null`: it cannot be compiled. */
const compiled = new WeakMap<JsonSchema, ValidateFunction | null>()

function validatorFor(schema: JsonSchema): ValidateFunction | undefined {
  let validate = compiled.get(schema)
  if (validate === undefined) {
    validate = compile(schema)
    compiled.set(schema, validate)
  }
  return validate ?? undefined
}

/** A schema that makes no sense (or points to the network, which is never asked) checks nothing: the server has the last word on its own arguments. */
function compile(schema: JsonSchema): ValidateFunction | null {
  const ajv = isOldDialect(schema) ? draft07 : draft2020
  try {
    return ajv.compile(schema)
  } catch {
    return null
  } finally {
    ajv.removeSchema(schema)
  }
}

/**
 * Schemas come from servers, so a pattern of theirs runs in linear time (RE2) and not on the engine's backtracking matcher,
 * where a short one can stop the whole process for ever. What RE2 cannot express is not checked.
 */
const ajvOptions = {
  strict: false,
  validateSchema: false,
  validateFormats: false,
  addUsedSchema: false,
  allErrors: true,
  logger: false,
  code: { regExp: Object.assign(compilePattern, { code: 'undefined' }) },
} as const
const draft07 = new Ajv(ajvOptions)
const draft2020 = new Ajv2020(ajvOptions)

/** Ajv tells patterns apart by their `toString`. */
function compilePattern(pattern: string): { test(text: string): boolean; toString(): string } {
  const toString = () => pattern
  try {
    const compiledPattern = RE2JS.compile(pattern)
    return { test: (text) => compiledPattern.matcher(text).find(), toString }
  } catch {
    return { test: () => true, toString }
  }
}

function isOldDialect({ $schema }: JsonSchema): boolean {
  return typeof $schema === 'string' && /draft-0[3-7]/.test($schema)
}

function describeErrors(errors: readonly ErrorObject[]): string {
  const shown = errors.slice(0, problemsShownMax).map(describeError)
  if (errors.length > shown.length) shown.push(`and ${errors.length - shown.length} more`)
  return `${shown.join('; ')}.`
}

function describeError({ instancePath, message, keyword, params }: ErrorObject): string {
  const where = instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'additionalProperties') return `${where} must not have the field '${params['additionalProperty']}'`
  if (keyword === 'enum') return `${where} must be one of ${JSON.stringify(params['allowedValues'])}`
  return `${where} ${message ?? 'is not valid'}`
}
