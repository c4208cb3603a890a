import { counted } from '@ostler/agent-api/browser'
import type { FieldLimits } from './field.ts'

/** Why a value is outside the limits of its field, in words for a person. The console's server checks patterns. */
export function checkLimits(limits: FieldLimits, value: unknown): readonly string[] {
  if (typeof value === 'number') return checkNumber(limits, value)
  if (typeof value === 'string') return checkText(limits, value)
  return Array.isArray(value) ? checkList(limits, value) : []
}

function broken(...rules: readonly (readonly [isBroken: boolean, message: string])[]): readonly string[] {
  return rules.flatMap(([isBroken, message]) => (isBroken ? [message] : []))
}

function checkNumber(
  { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: FieldLimits,
  value: number,
) {
  return broken(
    [minimum !== undefined && value < minimum, `Must be at least ${minimum}.`],
    [exclusiveMinimum !== undefined && value <= exclusiveMinimum, `Must be more than ${exclusiveMinimum}.`],
    [maximum !== undefined && value > maximum, `Must be at most ${maximum}.`],
    [exclusiveMaximum !== undefined && value >= exclusiveMaximum, `Must be less than ${exclusiveMaximum}.`],
    [multipleOf !== undefined && !isMultiple(value, multipleOf), `Must be a multiple of ${multipleOf}.`],
  )
}

function checkText({ minLength = 0, maxLength = Infinity, format = '' }: FieldLimits, value: string) {
  const { length } = [...value]
  const { test, words = '' } = formats.get(format) ?? {}
  return broken(
    [length < minLength, `Enter at least ${counted(minLength, 'character')}.`],
    [length > maxLength, `Enter at most ${counted(maxLength, 'character')}.`],
    [test?.(value) === false, words],
  )
}

function checkList(
  { minItems = 0, maxItems = Infinity, uniqueItems }: FieldLimits,
  value: readonly unknown[],
) {
  const { length } = value
  const isUnique = () => new Set(value.map((item) => JSON.stringify(item))).size === length
  return broken(
    [length < minItems, `Add at least ${counted(minItems, 'item')}.`],
    [length > maxItems, `At most ${counted(maxItems, 'item')}.`],
    [uniqueItems === true && !isUnique(), 'Every item must be different.'],
  )
}

/** The formats that MCP names for questions. The server checks others. */
const formats = new Map<string, { readonly words: string; readonly test: (text: string) => boolean }>([
  ['email', { words: 'Enter an e-mail address.', test: (text) => /^[^\s@]+@[^\s@]+$/.test(text) }],
  ['uri', { words: 'Enter a full URL, such as https://example.com/.', test: (text) => URL.canParse(text) }],
  [
    'date',
    {
      words: 'Enter a date, such as 2026-03-31.',
      test: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isTime(`${text}T00:00:00Z`),
    },
  ],
  [
    'date-time',
    {
      words: 'Enter a date and a time, such as 2026-03-31T09:00:00Z.',
      test: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text) && isTime(text),
    },
  ],
])

function isTime(text: string): boolean {
  const time = Date.parse(text)
  // The 30th of February is parsed as a day of March.
  return (
    !Number.isNaN(time) &&
    (!/Z$/i.test(text) || new Date(time).toISOString().slice(0, 10) === text.slice(0, 10))
  )
}

/** Decimal fractions are not exact in binary. */
function isMultiple(value: number, unit: number): boolean {
  const quotient = value / unit
  return unit === 0 || Math.abs(quotient - Math.round(quotient)) <= 4 * Number.EPSILON * Math.abs(quotient)
}
