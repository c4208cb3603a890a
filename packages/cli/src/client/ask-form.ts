import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationPropertySchema,
} from '@ostler/acp-server'
import { isRecord } from '@ostler/agent-api/internal'
import { toSafeLine } from '../terminal/safe-text.ts'
import { markdownRows } from './ask-permission.ts'
import type { Choice, Person } from './person.ts'

const triesMax = 3

const answers: readonly Choice[] = [
  { id: 'accept', key: 'y', label: 'Answer' },
  { id: 'decline', key: 'n', label: 'Decline' },
]

const pageAnswers: readonly Choice[] = [
  { id: 'accept', key: 'y', label: 'Open it in the browser' },
  { id: 'decline', key: 'n', label: 'Decline' },
]

/** Shows a question of a server or of the model, and asks for each field. */
export async function askForm(
  person: Person,
  request: CreateElicitationRequest,
  openPage: (url: string) => void,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> {
  person.show(['', ...markdownRows(request.message, { columns: person.columns(), style: person.style })])
  if (request.mode === 'url' && typeof request['url'] === 'string')
    return askPage(person, request['url'], openPage, signal)
  if (request.mode !== 'form' || !isRecord(request['requestedSchema'])) return { action: 'cancel' }
  const action = await person.choose('Answer?', answers, signal)
  if (action === 'decline') return { action: 'decline' }
  if (action !== 'accept') return { action: 'cancel' }
  const schema = request['requestedSchema']
  const fields = isRecord(schema['properties']) ? Object.entries(schema['properties']) : []
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const content: [string, FieldValue][] = []
  for (const [name, field] of fields) {
    const value = await askField(
      person,
      { name, field: field as ElicitationPropertySchema, isRequired: required.has(name) },
      signal,
    )
    if (value === 'cancel') return { action: 'cancel' }
    if (value !== undefined) content.push([name, value.value])
  }
  return { action: 'accept', content: Object.fromEntries(content) }
}

async function askPage(
  person: Person,
  url: string,
  openPage: (url: string) => void,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> {
  if (!/^https?:\/\//.test(url)) return { action: 'cancel' }
  person.show([toSafeLine(url)])
  const action = await person.choose('Open this page?', pageAnswers, signal)
  if (action === 'accept') openPage(url)
  return { action: action === 'accept' || action === 'decline' ? action : 'cancel' }
}

type FieldValue = string | number | boolean | string[]

interface Kind {
  readonly hint: string
  readonly expected: string
}

const kinds: Readonly<Record<string, Kind>> = {
  boolean: { hint: 'y/n', expected: 'y or n' },
  number: { hint: '', expected: 'a number' },
  integer: { hint: '', expected: 'a whole number' },
  array: { hint: 'numbers, as in 1,3', expected: 'a list of the numbers above' },
}
const choice: Kind = { hint: '', expected: 'an answer from the list' }

interface Field {
  readonly name: string
  readonly field: ElicitationPropertySchema
  readonly isRequired: boolean
}

async function askField(
  person: Person,
  wanted: Field,
  signal: AbortSignal,
): Promise<{ value: FieldValue } | 'cancel' | undefined> {
  const { name, field, isRequired } = wanted
  const options = optionsOf(field)
  const { title, description, default: preset } = field as Readonly<Record<string, unknown>>
  if (typeof description === 'string') person.show([person.style('dim', toSafeLine(description))])
  if (options.length > 0)
    person.show(options.map(({ label }, index) => `  ${index + 1}  ${toSafeLine(label)}`))
  const hasPreset = preset !== undefined && preset !== null
  const { hint, expected } = kinds[field.type] ?? choice
  const hints = [
    hint || (options.length > 0 ? 'number' : ''),
    hasPreset ? `default ${JSON.stringify(preset)}` : isRequired ? '' : 'may be empty',
  ].filter((part) => part !== '')
  const question = `${typeof title === 'string' ? title : name}${hints.length === 0 ? '' : ` (${hints.join('; ')})`}`
  for (let tries = 0; tries < triesMax; tries++) {
    const line = await person.ask(question, signal)
    if (line === undefined) return 'cancel'
    if (line.trim() === '') {
      if (hasPreset) return { value: preset as FieldValue }
      if (!isRequired) return undefined
    } else {
      const value = parseField(field, line.trim(), options)
      if (value !== undefined) return { value }
    }
    person.show([`This must be ${expected}.`])
  }
  return 'cancel'
}

interface Option {
  readonly value: string
  readonly label: string
}

function optionsOf(field: ElicitationPropertySchema): readonly Option[] {
  const source = field.type === 'array' ? field.items : field
  const { enum: values, oneOf, anyOf } = source as Readonly<Record<string, unknown>>
  if (Array.isArray(values)) return values.map((value) => ({ value: String(value), label: String(value) }))
  const named: readonly unknown[] = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : []
  return named.flatMap((each) =>
    isRecord(each) ? [{ value: String(each['const']), label: String(each['title']) }] : [],
  )
}

/** Undefined if the line does not match. The server checks the rest of the schema. */
export function parseField(
  field: ElicitationPropertySchema,
  line: string,
  options: readonly Option[],
): FieldValue | undefined {
  const pick = (word: string) =>
    (options[Number(word) - 1] ?? options.find(({ value, label }) => word === value || word === label))?.value
  switch (field.type) {
    case 'boolean':
      return /^(?:y|yes|true)$/i.test(line) ? true : /^(?:n|no|false)$/i.test(line) ? false : undefined
    case 'number':
    case 'integer': {
      const number = Number(line)
      return Number.isFinite(number) && (field.type === 'number' || Number.isInteger(number))
        ? number
        : undefined
    }
    case 'array': {
      const picked = line.split(',').map((word) => pick(word.trim()))
      return picked.every((value) => value !== undefined) ? picked : undefined
    }
    default:
      return options.length === 0 ? line : pick(line)
  }
}
