import { isRecord, isSecretName, headerName } from '@ostler/agent-api/internal'
import { hiddenProblem, listOf, textOf, type Fields } from './read-fields.ts'
import type {
  ArgumentTemplate,
  InputPlace,
  PairTemplate,
  RegistryInput,
  Template,
} from './registry-server.ts'
import { isScalar } from '../import/read-entry.ts'

type Kind = RegistryInput['kind']

/** By id. */
export type Inputs = Map<string, RegistryInput>

/** Why a way cannot be used. */
export type Refusal = { readonly reason: string }

const inputsMax = 100
const choicesMax = 200
const place = /\{([^{}]*)\}/g
const variableName = /^[A-Za-z_]\w*$/
/** Flags of package runners without a value. In a document, they look like flags that need one. */
const bareFlags: ReadonlySet<string> = new Set(
  '-i --interactive -t --tty -it -ti --rm --init --privileged --read-only -y --yes -q --quiet --no-cache --isolated --offline'.split(
    ' ',
  ),
)

export function readPairs(value: unknown, kind: 'env' | 'header', inputs: Inputs): PairTemplate[] | Refusal {
  const pairs: PairTemplate[] = []
  const fields = listOf(value)
  if (fields === undefined)
    return {
      reason: `its ${kind === 'env' ? 'environmentVariables are' : 'headers are'} not a list of objects`,
    }
  for (const each of fields) {
    const name = textOf(each['name'])
    const isName = kind === 'env' ? variableName.test(name ?? '') : headerName.test(name ?? '')
    if (name === undefined || !isName)
      return { reason: `a name of its ${kind === 'env' ? 'variables' : 'headers'} is not valid` }
    const template = readValue(each, { kind, id: `${kind}.${name}`, name }, inputs)
    if ('reason' in template) return template
    pairs.push({ name, value: template })
  }
  return pairs
}

export function readArguments(value: unknown, field: string, inputs: Inputs): ArgumentTemplate[] | Refusal {
  const fields = listOf(value)
  if (fields === undefined) return { reason: `its ${field} are not a list of objects` }
  const all: ArgumentTemplate[] = []
  for (const each of fields) {
    const argument = readArgument(each, field, inputs)
    if ('reason' in argument) return argument
    all.push(argument)
  }
  return all
}

function readArgument(fields: Fields, field: string, inputs: Inputs): ArgumentTemplate | Refusal {
  const isRepeated = fields['isRepeated'] === true
  if (fields['type'] === 'positional') {
    const name = textOf(fields['valueHint']) ?? 'argument'
    const value = readValue(fields, { kind: 'arg', id: `arg.${name}`, name, isRepeated }, inputs)
    return 'reason' in value ? value : { words: [value], isRepeated }
  }
  const { name } = fields
  if (fields['type'] !== 'named' || typeof name !== 'string' || name === '')
    return { reason: `one of its ${field} is neither positional nor named` }
  const hidden = hiddenProblem(name)
  if (hidden !== undefined) return { reason: `a name in its ${field} ${hidden}` }
  if (isBareFlag(fields, name)) return { words: [[name]] }
  const about = { kind: 'arg' as const, id: `arg.${name}`, name, isRepeated }
  if (fields['format'] === 'boolean' && fields['value'] === undefined) {
    const flag = addInput(fields, about, inputs)
    return 'reason' in flag ? flag : { words: [[name]], flagOf: flag.input }
  }
  const value = readValue(fields, about, inputs)
  if ('reason' in value) return value
  if (value.length === 0) return { words: [[name]] }
  // `--name=` has its value in the same word.
  return {
    words: name.endsWith('=') ? [[name, ...value]] : [[name], value],
    isRepeated,
  }
}

function isBareFlag(fields: Fields, name: string): boolean {
  if (fields['value'] !== undefined) return false
  if (bareFlags.has(name)) return true
  const describing = [
    'default',
    'choices',
    'format',
    'placeholder',
    'variables',
    'description',
    'isRequired',
    'valueHint',
  ]
  return describing.every((key) => fields[key] === undefined)
}

interface About {
  readonly kind: Kind
  readonly id: string
  readonly name: string
  readonly isRepeated?: boolean
}

function readValue(fields: Fields, about: About, inputs: Inputs): Template | Refusal {
  const fixed = fields['value']
  if (fixed !== undefined && typeof fixed !== 'string')
    return { reason: `the value of ${about.name} is not a text` }
  if (fixed !== undefined) return readTemplate(fixed, fields, about, inputs)
  const place = addInput(fields, about, inputs)
  return 'reason' in place ? place : [place]
}

/** `{name}` stands for a variable. Braces around any other text are kept. */
export function readTemplate(text: string, fields: Fields, about: About, inputs: Inputs): Template | Refusal {
  const hidden = hiddenProblem(text)
  if (hidden !== undefined) return { reason: `the value of ${about.name} ${hidden}` }
  const variables = isRecord(fields['variables']) ? fields['variables'] : {}
  const read = new Map<string, string | InputPlace>()
  const parts: (string | InputPlace)[] = []
  let kept = 0
  for (const { 0: whole, 1: name = '', index } of text.matchAll(place)) {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (!isRecord(variable)) continue
    const part = read.get(name) ?? readVariable(variable, fields, { ...about, name }, inputs)
    if (typeof part !== 'string' && 'reason' in part) return part
    read.set(name, part)
    parts.push(text.slice(kept, index), part)
    kept = index + whole.length
  }
  parts.push(text.slice(kept))
  return parts.filter((part) => part !== '')
}

/** An optional part of a way needs no variable. A required part needs all of its variables. */
function readVariable(
  variable: Fields,
  parent: Fields,
  about: About,
  inputs: Inputs,
): string | InputPlace | Refusal {
  const { value } = variable
  if (typeof value === 'string') {
    const hidden = hiddenProblem(value)
    return hidden === undefined ? value : { reason: `the value of ${about.name} ${hidden}` }
  }
  const isRequired = parent['isRequired'] ?? variable['isRequired']
  const isSecret = parent['isSecret'] === true || variable['isSecret'] === true
  return addInput(
    { ...variable, isRequired, isSecret },
    { ...about, id: `${about.id}.${about.name}` },
    inputs,
  )
}

function addInput(
  fields: Fields,
  { kind, id, name, isRepeated = false }: About,
  all: Inputs,
): InputPlace | Refusal {
  if (all.size === inputsMax) return { reason: `it asks for more than ${inputsMax} values` }
  const hidden = hiddenProblem(name)
  if (hidden !== undefined) return { reason: `the name of a value it asks for ${hidden}` }
  const choices = fields['choices']
  if (choices !== undefined && !isChoices(choices))
    return { reason: `the choices of ${name} are not a list of texts` }
  const description = textOf(fields['description'])
  const placeholder =
    textOf(fields['placeholder']) ?? (kind === 'arg' ? textOf(fields['valueHint']) : undefined)
  const preset = fields['default']
  let unique = id
  for (let count = 2; all.has(unique); count++) unique = `${id}-${count}`
  all.set(unique, {
    id: unique,
    kind,
    name,
    description,
    isRequired: fields['isRequired'] === true,
    isSecret: fields['isSecret'] === true || isSecretName(name),
    ...(isScalar(preset) && String(preset) !== '' && { default: String(preset) }),
    ...(choices !== undefined && choices.length > 0 && { choices }),
    ...(placeholder !== undefined && placeholder !== name && { placeholder }),
    format: formatOf(fields['format']),
    isRepeated,
  })
  return { input: unique }
}

function isChoices(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= choicesMax &&
    value.every((each) => typeof each === 'string' && hiddenProblem(each) === undefined)
  )
}

function formatOf(value: unknown): RegistryInput['format'] {
  return value === 'number' || value === 'boolean' || value === 'filepath' ? value : 'string'
}
