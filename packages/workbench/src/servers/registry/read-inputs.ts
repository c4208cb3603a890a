import { isRecord, isSecretName, headerName } from '@ostler/agent-api/internal'
import { checkSeen, hiddenProblem, listOf, refusal, textOf, type Fields } from './read-fields.ts'
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

export function readPairs(value: unknown, kind: 'env' | 'header', inputs: Inputs): PairTemplate[] {
  const isEnv = kind === 'env'
  return objectsIn(value, isEnv ? 'environmentVariables' : 'headers').map((each) => {
    const name = textOf(each['name'])
    if (name === undefined || !(isEnv ? variableName : headerName).test(name))
      throw refusal(`a name of its ${isEnv ? 'variables' : 'headers'} is not valid`)
    return { name, value: readValue(each, { kind, id: `${kind}.${name}`, name }, inputs) }
  })
}

export function readArguments(value: unknown, field: string, inputs: Inputs): ArgumentTemplate[] {
  return objectsIn(value, field).map((each) => readArgument(each, field, inputs))
}

function objectsIn(value: unknown, field: string): readonly Fields[] {
  const fields = listOf(value)
  if (fields === undefined) throw refusal(`its ${field} are not a list of objects`)
  return fields
}

function readArgument(fields: Fields, field: string, inputs: Inputs): ArgumentTemplate {
  const isRepeated = fields['isRepeated'] === true
  if (fields['type'] === 'positional') {
    const name = textOf(fields['valueHint']) ?? 'argument'
    return {
      words: [readValue(fields, { kind: 'arg', id: `arg.${name}`, name, isRepeated }, inputs)],
      isRepeated,
    }
  }
  const { name } = fields
  if (fields['type'] !== 'named' || typeof name !== 'string' || name === '')
    throw refusal(`one of its ${field} is neither positional nor named`)
  checkSeen(name, `a name in its ${field}`)
  if (isBareFlag(fields, name)) return { words: [[name]] }
  const about = { kind: 'arg' as const, id: `arg.${name}`, name, isRepeated }
  if (fields['format'] === 'boolean' && fields['value'] === undefined)
    return { words: [[name]], flagOf: addInput(fields, about, inputs).input }
  const value = readValue(fields, about, inputs)
  if (value.length === 0) return { words: [[name]] }
  // Hosts of the default registry, which need no extra word.
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

function readValue(fields: Fields, about: About, inputs: Inputs): Template {
  const fixed = fields['value']
  if (fixed === undefined) return [addInput(fields, about, inputs)]
  if (typeof fixed !== 'string') throw refusal(`the value of ${about.name} is not a text`)
  return readTemplate(fixed, fields, about, inputs)
}

/** `{name}` stands for a variable. Braces around any other text are kept. */
export function readTemplate(text: string, fields: Fields, about: About, inputs: Inputs): Template {
  checkSeen(text, `the value of ${about.name}`)
  const variables = isRecord(fields['variables']) ? fields['variables'] : {}
  const read = new Map<string, string | InputPlace>()
  const parts: (string | InputPlace)[] = []
  let kept = 0
  for (const { 0: whole, 1: name = '', index } of text.matchAll(place)) {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (!isRecord(variable)) continue
    const part = read.get(name) ?? readVariable(variable, fields, { ...about, name }, inputs)
    read.set(name, part)
    parts.push(text.slice(kept, index), part)
    kept = index + whole.length
  }
  parts.push(text.slice(kept))
  return parts.filter((part) => part !== '')
}

/** An optional part of a way needs no variable. A required part needs all of its variables. */
function readVariable(variable: Fields, parent: Fields, about: About, inputs: Inputs): string | InputPlace {
  const { value } = variable
  if (typeof value === 'string') {
    checkSeen(value, `the value of ${about.name}`)
    return value
  }
  const isRequired = parent['isRequired'] ?? variable['isRequired']
  const isSecret = parent['isSecret'] === true || variable['isSecret'] === true
  return addInput(
    { ...variable, isRequired, isSecret },
    { ...about, id: `${about.id}.${about.name}` },
    inputs,
  )
}

function addInput(fields: Fields, { kind, id, name, isRepeated = false }: About, all: Inputs): InputPlace {
  if (all.size === inputsMax) throw refusal(`it asks for more than ${inputsMax} values`)
  checkSeen(name, 'the name of a value it asks for')
  const choices = fields['choices']
  if (choices !== undefined && !isChoices(choices))
    throw refusal(`the choices of ${name} are not a list of texts`)
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
