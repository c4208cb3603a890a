import { isEncrypted } from '@ostler/agent-api/internal'
import type { AskedValue } from '../import/asked-values.ts'
import { escapeDollars } from '../import/convert-text.ts'
import { describeFound } from '../import/found-server.ts'
import type { FoundServer } from '../import/server-list.ts'
import type {
  ArgumentTemplate,
  PairTemplate,
  RegistryAnswer,
  RegistryAnswers,
  RegistryServer,
  RegistryWay,
  Template,
} from './registry-server.ts'

type ServerDraft = { readonly server: FoundServer } | { readonly problems: readonly AnswerProblem[] }

export interface AnswerProblem {
  /** Undefined for a problem of the whole. */
  readonly input?: string
  /** Continues its name: `is required`. */
  readonly message: string
}

/** Inputs without an answer take their default; optional parts without a value are left out. */
export function toServerDraft(
  server: RegistryServer,
  { launch, inputs, notes }: RegistryWay,
  answers: RegistryAnswers,
  name = shortName(server),
): ServerDraft {
  const problems = inputs.flatMap((input) => {
    const message = problemOf(answers[input.id], input)
    return message === undefined ? [] : [{ input: input.id, message }]
  })
  if (problems.length > 0) return { problems }
  const values: Values = new Map(
    inputs.flatMap((input) => {
      const text = textFor(answers[input.id] || input.preset)
      return text === undefined ? [] : [[input.id, text] as const]
    }),
  )
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
          url: fillTemplate(launch.url, values) ?? '',
          headers: fillPairs(launch.headers, values),
        }
  const url = entry.type === 'stdio' ? undefined : URL.parse(entry.url)
  if (url !== undefined && (url === null || !isEncrypted(url)))
    return { problems: [{ message: 'the URL must begin with https://, or with http:// for this machine' }] }
  const secrets = new Map(inputs.flatMap((input) => secretOf(input, values)))
  const named = (pairs: readonly PairTemplate[]) =>
    pairs
      .filter(({ value }) => value.some((part) => typeof part !== 'string' && secrets.has(part.input)))
      .map((pair) => pair.name)
  const found = describeFound({
    name,
    entry: { ...entry, ...(server.description !== '' && { description: escapeDollars(server.description) }) },
    secret: {
      ...(launch.type === 'stdio' ? { env: named(launch.env) } : { headers: named(launch.headers) }),
      values: [...secrets.values()],
    },
    notes: [...(server.status === 'deprecated' ? [deprecation(server)] : []), ...notes],
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
type Values = ReadonlyMap<string, string>

/** Values that the author of a document wrote are public, and the person must see them. */
function secretOf({ id, isSecret, preset, choices = [] }: AskedValue, values: Values) {
  const text = values.get(id)
  const isKnown = [preset ?? '', ...choices].some((known) => escapeDollars(known) === text)
  return isSecret && text !== undefined && !isKnown ? [[id, text] as const] : []
}

/** A dollar sign of an answer or a document is never a reference: a server must not read variables that nobody gave it. */
function textFor(answer: RegistryAnswer | undefined): string | undefined {
  return typeof answer === 'object' ? `\${${answer.variable}}` : answer && escapeDollars(answer)
}

function fillArgument({ words, needs = [] }: ArgumentTemplate, values: Values): string[] {
  const filled = words.map((word) => fillTemplate(word, values))
  const isWhole = needs.every((id) => values.has(id))
  return isWhole && filled.every((word) => word !== undefined) ? filled : []
}

function fillPairs(pairs: readonly PairTemplate[], values: Values): Record<string, string> {
  return Object.fromEntries(
    pairs.flatMap(({ name, value }) => {
      const text = fillTemplate(value, values)
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

/** Undefined if a value is missing. */
function fillTemplate(template: Template, values: Values): string | undefined {
  const parts = template.map((part) =>
    typeof part === 'string' ? escapeDollars(part) : values.get(part.input),
  )
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined
}

function problemOf(answer: RegistryAnswer | undefined, input: AskedValue): string | undefined {
  if (typeof answer === 'object')
    return /^[A-Za-z_]\w*$/.test(answer.variable) ? undefined : 'refers to something that is not a variable'
  if (!answer) return input.isRequired && input.preset === undefined ? 'is required' : undefined
  // oxlint-disable-next-line no-control-regex -- No program or header takes it.
  if (/\u0000/.test(answer)) return 'contains a character that no program accepts'
  const { choices } = input
  return choices && !choices.includes(answer) ? `must be one of ${choices.join(', ')}` : undefined
}
