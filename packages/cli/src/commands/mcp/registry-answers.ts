import { OstlerError } from '@ostler/agent-api'
import { suggest } from '@ostler/agent-api/internal'
import {
  toServerDraft,
  type AnswerProblem,
  type AskedValue,
  type RegistryAnswers,
  type RegistryServer,
  type RegistryWay,
} from '@ostler/workbench'
import { usageError } from '../../command-line/command.ts'
import type { Io } from '../../terminal/io.ts'
import { askSecret, askText } from '../../terminal/ask.ts'
import { toShown } from '../../terminal/safe-text.ts'

/**
 * The answers on the command line. A name alone refers to a variable of the environment. Inputs of the same name, such as arguments without
 * a hint, take their answers in order. Throws for an answer without a question.
 */
export function answersOf({ inputs }: RegistryWay, pairs: readonly string[] = []): RegistryAnswers {
  const open = new Set(inputs)
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', value] = /^([^=]*)(?:=([^]*))?$/.exec(pair) ?? []
      const input = [...open].find((each) => [each.id, each.label, nameOf(each)].includes(name))
      if (input === undefined)
        throw usageError(`the server asks for no ${name}${suggest(name, [...open].map(nameOf))}`)
      open.delete(input)
      return [input.id, value ?? { variable: name }]
    }),
  )
}

/** The dashes of a flag may be left out, because `--input --port=1` looks like two flags. */
function nameOf({ label }: AskedValue): string {
  return label.replace(/^-+/, '').replace(/=$/, '')
}

/** The flag that sets a value: `--input API_KEY=VALUE`. */
export function toFlag(input: AskedValue): string {
  return `--input ${nameOf(input)}=VALUE`
}

/** Asks for each value that is not given, until it is valid. Throws if there is no answer at all. */
export async function askInputs(
  io: Io,
  server: RegistryServer,
  way: RegistryWay,
  given: RegistryAnswers,
): Promise<RegistryAnswers> {
  let answers = given
  for (const input of way.inputs) {
    if (Object.hasOwn(given, input.id)) continue
    for (;;) {
      const answer = answered(await (input.isSecret ? askSecret : askText)(toQuestion(input), io))
      const next = answer === '' ? answers : { ...answers, [input.id]: answer }
      const draft = toServerDraft(server, way, next)
      const problems = 'problems' in draft ? draft.problems : []
      const problem = problems.find((each) => each.input === input.id)
      if (problem === undefined) {
        answers = next
        break
      }
      io.stderr.write(`${toShown(`${input.label} ${problem.message}`)}\n`)
    }
  }
  return answers
}

export function answered(answer: string | undefined): string {
  if (answer === undefined) throw new OstlerError('command.cancelled', 'No answer. Nothing was stored.')
  return answer
}

function toQuestion({ label, description, isRequired, preset, choices }: AskedValue): string {
  const hints = [
    ...(choices === undefined ? [] : [choices.join(' | ')]),
    ...(isRequired || preset !== undefined ? [] : ['empty for none']),
  ]
  const about = description === undefined ? '' : ` - ${description}`
  return `${label}${about}${hints.length === 0 ? '' : ` (${hints.join('; ')})`}${preset === undefined ? '' : ` [${preset}]`}`
}

/** All problems at once, with the flags that solve them. */
export function refuse(way: RegistryWay, problems: readonly AnswerProblem[]): Error {
  const lines = problems.map(({ input: id, message }) => {
    const input = way.inputs.find((each) => each.id === id)
    if (input === undefined) return message
    const about = input.description === undefined ? '' : ` (${input.description})`
    return `${input.label}${about} ${message}: ${toFlag(input)}`
  })
  return usageError(
    lines.length === 1
      ? (lines[0] ?? '')
      : `${lines.length} values are needed or not valid:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  )
}
