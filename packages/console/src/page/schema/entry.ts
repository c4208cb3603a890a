import { isRecord } from '@ostler/agent-api/browser'
import { jsonText, visible } from '../text/visible.ts'
import { checkLimits } from './check-limits.ts'
import type { FormField } from './field.ts'

export type FormEntry =
  | undefined
  | { readonly text: string }
  | { readonly flag: boolean }
  | { readonly choice: unknown }
  | { readonly items: readonly FormEntry[] }
  /** `rest` holds properties without a form field. They are kept. */
  | { readonly fields: Readonly<Record<string, FormEntry>>; readonly rest: Readonly<Record<string, unknown>> }
  | { readonly json: string }
  | { readonly variant: number; readonly entry: FormEntry }

export interface FormIssue {
  /** `address.street`, `tags.0`. */
  readonly path: string
  readonly message: string
}

/** Fills a value into the form. A value that does not match its field, or contains hidden characters, is shown as JSON. */
export function toEntry(field: FormField, value: unknown): FormEntry {
  if (value === undefined) return undefined
  const asJson = { json: jsonText(value) }
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' && visible(value) === value ? { text: value } : asJson
    case 'number':
      return typeof value === 'number' && (!field.isInteger || Number.isInteger(value))
        ? { text: String(value) }
        : asJson
    case 'boolean':
      return typeof value === 'boolean' ? { flag: value } : asJson
    case 'choice':
      return field.choices.some((choice) => isSameJson(choice, value)) ? { choice: value } : asJson
    case 'list':
      return Array.isArray(value) ? { items: value.map((item) => toEntry(field.item, item)) } : asJson
    case 'object': {
      if (!isRecord(value)) return asJson
      const known = new Map(field.fields.map((part) => [part.name, part]))
      const own = Object.entries(value)
      return {
        fields: Object.fromEntries(
          own.flatMap(([name, part]) =>
            known.has(name) ? [[name, toEntry(known.get(name) as FormField, part)]] : [],
          ),
        ),
        rest: Object.fromEntries(own.filter(([name]) => !known.has(name))),
      }
    }
    case 'variants':
      return toVariant(field.options, value) ?? asJson
    case 'json':
      return asJson
  }
}

/** The first schema that the value matches, or else the first whose fields can show it. */
function toVariant(options: readonly FormField[], value: unknown): FormEntry {
  const shown = options.flatMap((option, variant) => {
    const entry = toEntry(option, value)
    return entry === undefined || ('json' in entry && option.kind !== 'json')
      ? []
      : [{ option, variant, entry }]
  })
  const fitting = shown.find(({ option, entry }) => toValue(option, entry).issues.length === 0) ?? shown[0]
  return fitting && { variant: fitting.variant, entry: fitting.entry }
}

export function initialEntry(field: FormField): FormEntry {
  if (field.default !== undefined) return toEntry(field, field.default)
  if (!field.isRequired) return undefined
  if (field.kind === 'list') return { items: [] }
  if (field.kind === 'choice' && field.choices.length === 1) return { choice: field.choices[0] }
  if (field.kind === 'object')
    return {
      fields: Object.fromEntries(field.fields.map((part) => [part.name, initialEntry(part)])),
      rest: {},
    }
  return undefined
}

interface FormValue {
  readonly value: unknown
  readonly issues: readonly FormIssue[]
  readonly patterns: readonly PatternCheck[]
}

export interface PatternCheck {
  readonly path: string
  readonly pattern: string
  readonly text: string
}

/** Reads the value from the form and checks it against the limits of its fields. The patterns remain to be checked. */
export function toValue(field: FormField, entry: FormEntry, path = ''): FormValue {
  const read = readValue(field, entry, path)
  // Problems of parts come first, and a missing value has no limits.
  if (read.value === undefined) return read
  const problems = checkLimits(field.limits, read.value).map((message) => ({ path, message }))
  const { pattern } = field.limits
  const patterns =
    pattern !== undefined && typeof read.value === 'string' ? [{ path, pattern, text: read.value }] : []
  return { ...read, issues: [...read.issues, ...problems], patterns: [...read.patterns, ...patterns] }
}

function readValue(field: FormField, entry: FormEntry, path: string): FormValue {
  const issue = (message: string): FormValue => ({
    value: undefined,
    issues: [{ path, message }],
    patterns: [],
  })
  const value = (value: unknown): FormValue => ({ value, issues: [], patterns: [] })
  if (entry === undefined) {
    if (!field.isRequired) return value(undefined)
    return field.kind === 'boolean' ? value(false) : issue('Required.')
  }
  if ('json' in entry) {
    if (entry.json.trim() === '') return field.isRequired ? issue('Required.') : value(undefined)
    try {
      return value(JSON.parse(entry.json))
    } catch {
      return issue('This is not valid JSON.')
    }
  }
  if ('variant' in entry) {
    const option = field.kind === 'variants' ? field.options[entry.variant] : undefined
    return option === undefined ? value(undefined) : toValue(option, entry.entry, path)
  }
  if ('flag' in entry) return value(entry.flag)
  if ('choice' in entry) return value(entry.choice)
  if ('items' in entry) {
    const item = field.kind === 'list' ? field.item : field
    const parts = entry.items.map((part, index) => toValue(item, part, join(path, String(index))))
    return { ...gather(parts), value: parts.map((part) => part.value) }
  }
  if ('fields' in entry) {
    const parts = (field.kind === 'object' ? field.fields : []).map((part) => ({
      name: part.name,
      ...toValue(part, partOf(entry.fields, part.name), join(path, part.name)),
    }))
    const own = parts.flatMap((part) => (part.value === undefined ? [] : [[part.name, part.value]]))
    return { ...gather(parts), value: Object.fromEntries([...own, ...Object.entries(entry.rest)]) }
  }
  if (field.kind !== 'number') return value(entry.text)
  const number = Number(entry.text.replace(',', '.'))
  if (entry.text.trim() === '' || !Number.isFinite(number)) return issue('Must be a number.')
  return field.isInteger && !Number.isInteger(number) ? issue('Must be a whole number.') : value(number)
}

export function join(path: string, step: string): string {
  return path === '' ? step : `${path}.${step}`
}

function gather(parts: readonly FormValue[]) {
  return {
    issues: parts.flatMap(({ issues }) => issues),
    patterns: parts.flatMap(({ patterns }) => patterns),
  }
}

/** A property may be called `toString`, which every object inherits. */
export function partOf(fields: Readonly<Record<string, FormEntry>>, name: string): FormEntry {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** True if two JSON values are equal. The order of keys does not count, and a key without a value counts as missing. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index]))
  if (!isRecord(one) || !isRecord(other)) return one === other
  return Object.keys({ ...one, ...other }).every((key) => isSameJson(one[key], other[key]))
}

/** Arguments must be an object. Empty text means an empty object. */
export function parseArgumentsJson(text: string): {
  readonly value?: Readonly<Record<string, unknown>>
  readonly issues: readonly FormIssue[]
} {
  const issue = (message: string) => ({ issues: [{ path: '', message }] })
  if (text.trim() === '') return { value: {}, issues: [] }
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { value, issues: [] } : issue('Arguments must be a JSON object: { … }.')
  } catch (error) {
    return issue(`This is not valid JSON: ${error instanceof Error ? error.message : ''}`)
  }
}
