import { OstlerError } from '@ostler/agent-api'
import { suggest } from '@ostler/agent-api/internal'
import {
  toServerDraft,
  type AnswerProblem,
  type RegistryAnswer,
  type RegistryInput,
  type RegistryServer,
  type RegistryWay,
} from '@ostler/workbench'
import { usageError } from '../../command-line/command.ts'
import type { Io } from '../../terminal/io.ts'
import { askSecret, askText } from '../../terminal/ask.ts'
import { toShown } from '../../terminal/safe-text.ts'

type AnswerFlags = Readonly<Partial<Record<'env' | 'header' | 'arg', readonly string[] | undefined>>>

type Answers = Readonly<Record<string, RegistryAnswer>>

/** The answers on the command line. Throws for an answer without a question. */
export function answersOf({ inputs }: RegistryWay, flags: AnswerFlags): Answers {
  const answers = new Map<string, RegistryAnswer>()
  for (const flag of ['env', 'header', 'arg'] as const) {
    const asked = inputs.filter((input) => flagOf(input) === flag)
    for (const pair of flags[flag] ?? []) {
      const [name, answer] = parseAnswer(flag, pair)
      const input = asked.find((each) => isNamed(each, name))
      if (input === undefined)
        throw usageError(`the server asks for no --${flag} ${name}${suggest(name, asked.map(nameOf))}`)
      const before = answers.get(input.id)
      const isAdded = input.isRepeated && typeof answer === 'string'
      answers.set(input.id, isAdded ? [...(Array.isArray(before) ? before : []), answer] : answer)
    }
  }
  return Object.fromEntries(answers)
}

/** A name alone refers to a variable of the environment. */
function parseAnswer(flag: 'env' | 'header' | 'arg', pair: string): [string, string | { variable: string }] {
  const form = flag === 'header' ? /^([^:=\s]+)(?:\s*[:=]\s*([^]*))?$/ : /^([^=\s]+)(?:=([^]*))?$/
  const [, name, value] = form.exec(pair) ?? []
  if (name === undefined || (value === undefined && flag !== 'env'))
    throw usageError(
      `every --${flag} must have the form ${flag === 'header' ? "'NAME: VALUE'" : 'NAME=VALUE'}`,
    )
  return [name, value ?? { variable: name }]
}

/** Only a whole variable or header has a flag of its own. Parts of them, arguments and parts of the URL are `--arg`. */
function flagOf({ kind, id }: RegistryInput): 'env' | 'header' | 'arg' {
  const isPart = id.split('.').length > 2 && kind !== 'arg'
  return isPart || kind === 'arg' || kind === 'url' ? 'arg' : kind
}

/** The dashes of a flag may be left out, because `--arg --port=1` looks like two flags. */
function nameOf({ name }: RegistryInput): string {
  return name.replace(/^-+/, '').replace(/=$/, '')
}

function isNamed(input: RegistryInput, name: string): boolean {
  if (input.kind === 'header' && flagOf(input) === 'header')
    return input.name.toLowerCase() === name.toLowerCase()
  return [input.id, input.name, nameOf(input)].includes(name)
}

/** The flag that sets a value: `--env API_KEY=VALUE`. */
export function toFlag(input: RegistryInput): string {
  const flag = flagOf(input)
  return flag === 'header' ? `--header '${input.name}: VALUE'` : `--${flag} ${nameOf(input)}=VALUE`
}

/** Asks for each value that is not given, until it is valid. Throws if there is no answer at all. */
export async function askInputs(
  io: Io,
  server: RegistryServer,
  way: RegistryWay,
  given: Answers,
): Promise<Answers> {
  let answers = given
  for (const input of way.inputs) {
    if (Object.hasOwn(given, input.id)) continue
    for (;;) {
      const answer = answered(await (input.isSecret ? askSecret : askText)(toQuestion(input), io))
      const next = answer === '' ? answers : { ...answers, [input.id]: answer }
      const problem = problemsOf(server, way, next).find((each) => each.input === input.id)
      if (problem === undefined) {
        answers = next
        break
      }
      io.stderr.write(`${toShown(`${input.name} ${problem.message}`)}\n`)
    }
  }
  return answers
}

export function answered(answer: string | undefined): string {
  if (answer === undefined) throw new OstlerError('command.cancelled', 'No answer. Nothing was stored.')
  return answer
}

function toQuestion(input: RegistryInput): string {
  const { name, description, isRequired, default: preset, choices, placeholder } = input
  const hints = [
    ...(choices === undefined ? [] : [choices.join(' | ')]),
    ...(placeholder === undefined ? [] : [`such as ${placeholder}`]),
    ...(isRequired || preset !== undefined ? [] : ['empty for none']),
  ]
  const about = description === undefined ? '' : ` - ${description}`
  return `${name}${about}${hints.length === 0 ? '' : ` (${hints.join('; ')})`}${preset === undefined ? '' : ` [${preset}]`}`
}

function problemsOf(server: RegistryServer, way: RegistryWay, answers: Answers): readonly AnswerProblem[] {
  const draft = toServerDraft(server, way, answers)
  return 'problems' in draft ? draft.problems : []
}

/** All problems at once, with the flags that solve them. */
export function refuse(way: RegistryWay, problems: readonly AnswerProblem[]): Error {
  const lines = problems.map(({ input: id, message }) => {
    const input = way.inputs.find((each) => each.id === id)
    if (input === undefined) return message
    const about = input.description === undefined ? '' : ` (${input.description})`
    return `${input.name}${about} ${message}: ${toFlag(input)}`
  })
  return usageError(
    lines.length === 1
      ? (lines[0] ?? '')
      : `${lines.length} values are needed or not valid:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  )
}
