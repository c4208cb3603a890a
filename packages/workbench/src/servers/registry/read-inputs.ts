import { defined, headerName, isRecord, isSecretName } from '@ostler/agent-api/internal'
import type { AskedValue } from '../import/asked-values.ts'
import { isScalar } from '../import/read-entry.ts'
import { checkSeen, hiddenProblem, listOf, refusal, textOf, type Fields } from './read-fields.ts'
import type { ArgumentTemplate, InputPlace, PairTemplate, Template } from './registry-server.ts'

/** By id. */
export type Inputs = Map<string, AskedValue>

const inputsMax = 100
const choicesMax = 200
const place = /\{([^{}]*)\}/g
const variableName = /^[A-Za-z_]\w*$/

export function readPairs(value: unknown, kind: 'env' | 'header', inputs: Inputs): PairTemplate[] {
  const isEnv = kind === 'env'
  return objectsIn(value, isEnv ? 'environmentVariables' : 'headers').map((each) => {
    const name = textOf(each['name'])
    if (name === undefined || !(isEnv ? variableName : headerName).test(name))
      throw refusal(`a name of its ${isEnv ? 'variables' : 'headers'} is not valid`)
    return { name, value: readValue(each, { id: `${kind}.${name}`, label: name }, inputs) }
  })
}

export function readArguments(value: unknown, field: string, inputs: Inputs): ArgumentTemplate[] {
  return objectsIn(value, field).map((each): ArgumentTemplate => {
    const { type, name } = each
    if (type === 'positional') {
      const label = textOf(each['valueHint']) ?? 'argument'
      return { words: [readValue(each, { id: `arg.${label}`, label }, inputs)] }
    }
    if (type !== 'named' || typeof name !== 'string' || name === '')
      throw refusal(`one of its ${field} is neither positional nor named`)
    checkSeen(name, `a name in its ${field}`)
    if (isBareFlag(each, name)) return { words: [[name]] }
    const about = { id: `arg.${name}`, label: name }
    if (each['format'] === 'boolean' && each['value'] === undefined)
      return { words: [[name]], needs: [addInput(toSwitch(each), about, inputs).input] }
    const value = readValue(each, about, inputs)
    return { words: name.endsWith('=') ? [[name, ...value]] : [[name], value] }
  })
}

function objectsIn(value: unknown, field: string): readonly Fields[] {
  const fields = listOf(value)
  if (fields === undefined) throw refusal(`its ${field} are not a list of objects`)
  return fields
}

/** Flags of docker without a value. In a document, they look like flags that need one. */
const bareFlags: ReadonlySet<string> = new Set(
  '-i --interactive -t --tty -it -ti --rm --init --privileged --read-only'.split(' '),
)
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

function isBareFlag(fields: Fields, name: string): boolean {
  if (fields['value'] !== undefined) return false
  return bareFlags.has(name) || describing.every((key) => fields[key] === undefined)
}

/** The flag is there if its answer is `true`. */
function toSwitch(fields: Fields): Fields {
  const isOn = String(fields['default']) === 'true'
  return { ...fields, isRequired: false, choices: ['true'], default: isOn ? 'true' : undefined }
}

type About = Pick<AskedValue, 'id' | 'label'>

function readValue(fields: Fields, about: About, inputs: Inputs): Template {
  const fixed = fields['value']
  if (fixed === undefined) return [addInput(fields, about, inputs)]
  if (typeof fixed !== 'string') throw refusal(`the value of ${about.label} is not a text`)
  return readTemplate(fixed, fields, about, inputs)
}

/** `{name}` stands for a variable. Braces around any other text are kept. */
export function readTemplate(text: string, fields: Fields, about: About, inputs: Inputs): Template {
  checkSeen(text, `the value of ${about.label}`)
  const variables = isRecord(fields['variables']) ? fields['variables'] : {}
  const parts: (string | InputPlace)[] = []
  let kept = 0
  for (const { 0: whole, 1: label = '', index } of text.matchAll(place)) {
    const variable = Object.hasOwn(variables, label) ? variables[label] : undefined
    if (!isRecord(variable)) continue
    const isRequired = fields['isRequired'] ?? variable['isRequired']
    const isSecret = fields['isSecret'] === true || variable['isSecret'] === true
    const id = `${about.id}.${label}`
    parts.push(
      text.slice(kept, index),
      addInput({ ...variable, isRequired, isSecret }, { id, label }, inputs),
    )
    kept = index + whole.length
  }
  return [...parts, text.slice(kept)].filter((part) => part !== '')
}

function addInput(fields: Fields, { id, label }: About, all: Inputs): InputPlace {
  if (all.size === inputsMax) throw refusal(`it asks for more than ${inputsMax} values`)
  checkSeen(label, 'the name of a value it asks for')
  const { choices, default: preset } = fields
  if (choices !== undefined && !isChoices(choices))
    throw refusal(`the choices of ${label} are not a list of texts`)
  let unique = id
  for (let count = 2; all.has(unique); count++) unique = `${id}-${count}`
  all.set(unique, {
    id: unique,
    label,
    isRequired: fields['isRequired'] === true,
    isSecret: fields['isSecret'] === true || isSecretName(label),
    ...defined({
      description: textOf(fields['description']) ?? textOf(fields['placeholder']),
      preset: isScalar(preset) && String(preset) !== '' ? String(preset) : undefined,
      choices: choices?.length === 0 ? undefined : choices,
    }),
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
