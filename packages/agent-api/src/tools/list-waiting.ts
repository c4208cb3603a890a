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
  const groups = [...Map.groupBy(tools, ({ entry }) => entry.tool.ref.server)]
  const rows = groups.map(([server, members]) => ({
    heading: server === null ? 'Others:' : `Server '${server}':`,
    members: members.map(({ name, entry }) => ({ name, sentence: firstSentence(entry.tool.description) })),
  }))
  // In JSON, a line break takes two characters.
  const names = rows.reduce(
    (sum, { heading, members }) =>
      sum + heading.length + 2 + members.reduce((all, { name }) => all + name.length + 4, 0),
    0,
  )
  const lengths = rows.flatMap(({ members }) => members.map(({ sentence }) => sentence.length + 2))
  const charsMax = fairLength(lengths, listCharsMax - names)
  return rows
    .map(({ heading, members }) => [heading, ...members.map((member) => toRow(member, charsMax))].join('\n'))
    .join('\n')
}

function toRow({ name, sentence }: { name: string; sentence: string }, charsMax: number): string {
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
