import type { OfferedTool } from './offered-tool.ts'

/** A tool with the name by which it is called. */
export interface NamedTool {
  readonly entry: OfferedTool
  readonly name: string
}

/** About 3,250 tokens. The names stand in the list in any case, and first sentences as far as there is room. */
const listCharsMax = 13_000
const sentenceCharsMin = 12
const sentenceCharsMax = 200

/** Each tool by its name, grouped by server, with its first sentence. All sentences are cut at the same length if there is not enough room. */
export function listWaiting(tools: readonly NamedTool[]): string {
  const rows = rowsOf(tools)
  return [...Map.groupBy(tools, headingOf)]
    .map(([heading, members]) => [heading, ...members.map(({ name }) => rows.get(name))].join('\n'))
    .join('\n')
}

const headingOf = ({ entry: { tool } }: NamedTool) =>
  tool.ref.server === null ? 'Others:' : `Server '${tool.ref.server}':`

/** The rows of the list, by the names of the tools. */
export function rowsOf(tools: readonly NamedTool[]): ReadonlyMap<string, string> {
  const sentences = tools.map(({ entry }) => firstSentence(entry.tool.description))
  const fixed = [...new Set(tools.map(headingOf)), ...tools.map(({ name }) => `- ${name}`)]
  // In JSON, a line break takes two characters.
  const room = fixed.reduce((left, text) => left - text.length - 2, listCharsMax)
  const charsMax = fairLength(
    sentences.map((sentence) => sentence.length + 2),
    room,
  )
  return new Map(tools.map(({ name }, index) => [name, toRow(name, sentences[index] ?? '', charsMax)]))
}

function toRow(name: string, sentence: string, charsMax: number): string {
  return sentence === '' || charsMax < sentenceCharsMin
    ? `- ${name}`
    : `- ${name}: ${cutText(sentence, charsMax)}`
}

/** The largest length at which all fit if longer ones are cut to it. */
function fairLength(lengths: readonly number[], room: number): number {
  let left = room
  for (const [index, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const fair = Math.floor(left / (lengths.length - index))
    if (length > fair) return Math.max(0, fair - 2)
    left -= length
  }
  return sentenceCharsMax
}

export function cutText(text: string, charsMax: number): string {
  return text.length <= charsMax
    ? text
    : `${text
        .slice(0, charsMax - 1)
        .trimEnd()
        .toWellFormed()}…`
}

export function firstSentence(description: string): string {
  const [line = ''] = description.trim().split('\n')
  const [sentence = line] = /^.*?[.!?](?=\s|$)/.exec(line) ?? []
  return sentence.slice(0, sentenceCharsMax)
}

/** The schemas that a result or note tells. One tool alone may take more: no server defines one that is too long for a result. */
const definitionsCharsMax = 16_000

/** Each tool with its schema, as far as there is room. Of the others, it says how to read the schema. */
export function describeTools(tools: readonly NamedTool[]): string {
  let left = tools.length === 1 ? Infinity : definitionsCharsMax
  const texts = tools.map(({ entry, name }) => {
    const { description, inputSchema } = entry.tool
    const whole = `- ${name}: ${description.trim()}\n  Arguments: ${JSON.stringify(inputSchema)}`
    if (whole.length > left)
      return `- ${name}: ${firstSentence(description)} [To read its arguments, search for its name alone.]`
    left -= whole.length
    return whole
  })
  return texts.join('\n')
}
