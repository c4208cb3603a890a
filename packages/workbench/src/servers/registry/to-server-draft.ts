import { isEncrypted } from '@ostler/agent-api/internal'
import { escapeDollars } from '../import/convert-text.ts'
import { describeFound } from '../import/found-server.ts'
import type { FoundServer } from '../import/server-list.ts'
import type {
  ArgumentTemplate,
  PairTemplate,
  RegistryAnswer,
  RegistryAnswers,
  RegistryInput,
  RegistryServer,
  RegistryWay,
  Template,
} from './registry-server.ts'

type ServerDraft = { readonly server: FoundServer } | { readonly problems: readonly AnswerProblem[] }

export interface AnswerProblem {
  /** Undefined for a problem of the whole. */
  readonly input?: string
  /** Continues its name: `must be a number`. */
  readonly message: string
}

const answersMax = 50

/** Inputs without an answer take their default; optional parts without a value are left out. */
export function toServerDraft(
  server: RegistryServer,
  way: RegistryWay,
  answers: RegistryAnswers,
  name = shortName(server),
): ServerDraft {
  const problems = problemsOf(way, answers)
  if (problems.length > 0) return { problems }
  const values = valuesOf(way, answers)
  const { launch, inputs } = way
  const entry =
    launch.type === 'stdio'
      ? {
          type: launch.type,
          command: launch.command,
          args: launch.args.flatMap((argument) => fillArgument(argument, values)),
          env: fillPairs(launch.env, values),
        }
      : {
          type: launch.type,
          url: fillTemplate(launch.url, values, 0) ?? '',
          headers: fillPairs(launch.headers, values),
        }
  const url = entry.type === 'stdio' ? undefined : URL.parse(entry.url)
  if (url !== undefined && (url === null || !isEncrypted(url)))
    return { problems: [{ message: 'the URL must begin with https://, or with http:// for this machine' }] }
  const secrets = new Map(inputs.map((input) => [input.id, secretsOf(input, values)]))
  const isSecret = (value: Template) =>
    value.some((part) => typeof part !== 'string' && secrets.get(part.input)?.length !== 0)
  const named = (pairs: readonly PairTemplate[]) =>
    pairs.filter(({ value }) => isSecret(value)).map((pair) => pair.name)
  const found = describeFound({
    name,
    entry: { ...entry, ...(server.description !== '' && { description: escapeDollars(server.description) }) },
    secret: {
      ...(launch.type === 'stdio' ? { env: named(launch.env) } : { headers: named(launch.headers) }),
      values: [...secrets.values()].flat(),
    },
    notes: [...(server.status === 'deprecated' ? [deprecation(server)] : []), ...way.notes],
  })
  return 'reason' in found ? { problems: [{ message: found.reason }] } : { server: found }
}

export function shortName({ name }: Pick<RegistryServer, 'name'>): string {
  return name.slice(name.indexOf('/') + 1)
}

function deprecation({ statusMessage }: RegistryServer): string {
  return `its author has deprecated it${statusMessage === undefined ? '' : `: ${statusMessage}`}`
}

/** By input, ready for an entry. */
type Values = ReadonlyMap<string, readonly string[]>

function valuesOf({ inputs }: RegistryWay, answers: RegistryAnswers): Values {
  return new Map(inputs.map((input) => [input.id, textsOf(answerOf(answers, input.id), input)]))
}

/** Values that the author of a document wrote are public, and the person must see them. */
function secretsOf(
  { id, isSecret, default: preset, choices = [] }: RegistryInput,
  values: Values,
): readonly string[] {
  const known = new Set([preset ?? '', ...choices].map(escapeDollars))
  return isSecret ? (values.get(id) ?? []).filter((text) => !known.has(text)) : []
}

/** A dollar sign of an answer or a document is never a reference: a server must not read variables that nobody gave it. */
function textsOf(answer: RegistryAnswer | undefined, input: RegistryInput): readonly string[] {
  if (isVariable(answer)) return [`\${${answer.variable}}`]
  const given = (typeof answer === 'string' ? [answer] : (answer ?? [])).filter((text) => text !== '')
  const texts = given.length > 0 || input.default === undefined ? given : [input.default]
  return texts.map(escapeDollars)
}

function answerOf(answers: RegistryAnswers, id: string): RegistryAnswer | undefined {
  return Object.hasOwn(answers, id) ? answers[id] : undefined
}

function isVariable(answer: RegistryAnswer | undefined): answer is { readonly variable: string } {
  return typeof answer === 'object' && 'variable' in answer
}

function fillArgument({ words, isRepeated, flagOf, needs = [] }: ArgumentTemplate, values: Values): string[] {
  if (flagOf !== undefined && values.get(flagOf)?.[0] !== 'true') return []
  if (needs.some((id) => values.get(id)?.[0] === undefined)) return []
  const counts = words.flatMap((word) =>
    word.flatMap((part) => (typeof part === 'string' ? [] : [values.get(part.input)?.length ?? 0])),
  )
  const count = isRepeated === true ? Math.max(1, ...counts) : 1
  return Array.from({ length: count }, (_, index) =>
    words.map((word) => fillTemplate(word, values, index)),
  ).flatMap((filled) => (filled.every((word) => word !== undefined) ? filled : []))
}

function fillPairs(pairs: readonly PairTemplate[], values: Values): Record<string, string> {
  return Object.fromEntries(
    pairs.flatMap(({ name, value }) => {
      const text = fillTemplate(value, values, 0)
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

/** Undefined if a value is missing. In a list, the last value stands for those that are missing. */
function fillTemplate(template: Template, values: Values, index: number): string | undefined {
  const parts = template.map((part) => {
    if (typeof part === 'string') return escapeDollars(part)
    const texts = values.get(part.input) ?? []
    return texts[index] ?? texts.at(-1)
  })
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined
}

function problemsOf({ inputs }: RegistryWay, answers: RegistryAnswers): AnswerProblem[] {
  const unknown = Object.keys(answers).filter((id) => !inputs.some((input) => input.id === id))
  return [
    ...unknown.map((id) => ({ input: id, message: 'is not asked for' })),
    ...inputs.flatMap((input) => {
      const message = problemOf(answerOf(answers, input.id), input)
      return message === undefined ? [] : [{ input: input.id, message }]
    }),
  ]
}

function problemOf(answer: RegistryAnswer | undefined, input: RegistryInput): string | undefined {
  if (isVariable(answer))
    return /^[A-Za-z_]\w*$/.test(answer.variable) ? undefined : 'refers to something that is not a variable'
  if (Array.isArray(answer) && !input.isRepeated && answer.length > 1) return 'takes one value'
  if (Array.isArray(answer) && answer.length > answersMax) return `takes at most ${answersMax} values`
  const texts = textsOf(answer, input)
  if (texts.length === 0) return input.isRequired ? 'is required' : undefined
  for (const text of typeof answer === 'string' ? [answer] : (answer ?? [])) {
    if (text === '') continue
    // oxlint-disable-next-line no-control-regex -- No program or header takes it.
    if (/\u0000/.test(text)) return 'contains a character that no program accepts'
    if (input.choices !== undefined && !input.choices.includes(text))
      return `must be one of ${input.choices.join(', ')}`
    if (input.format === 'number' && (text.trim() !== text || !Number.isFinite(Number(text))))
      return 'must be a number'
    if (input.format === 'boolean' && text !== 'true' && text !== 'false') return 'must be true or false'
  }
  return undefined
}
