import { mapInSlices } from '../../base/in-slices.ts'
import { wordsOf } from '../../tools/search-terms.ts'
import { createToolSearch } from '../../tools/tool-search.ts'
import { bareNameOf, findTools } from './command.ts'
import { fillArguments } from './fill-arguments.ts'
import type { OfflineTool } from './offline-tool.ts'
import { propertiesOf } from './schema-shape.ts'
import { stem } from '../../tools/stem.ts'
import { searchedLengthMax } from './tokens.ts'
import { conceptOf, readWish, type WishWords } from './wish-words.ts'

export type Choice =
  | { readonly type: 'tool'; readonly tool: OfflineTool }
  | { readonly type: 'several'; readonly tools: readonly OfflineTool[] }
  | { readonly type: 'greeting' }
  | { readonly type: 'none' }

type Tools = readonly OfflineTool[]

const candidatesMax = 8
/** Only this much of a description is searched for its first sentence. */
const purposeCharsMax = 1_000
/** Scores this close to the best count as equal. */
const sameScoreShare = 0.98

const greeting =
  /^\s*(?:hi|hello|hey|good (?:morning|evening|day)|help|thanks?(?: you)?|who are you|what (?:are|is) (?:you|this)|what can you do)\b[\s\S]{0,30}$/i

/** Chooses a tool. A tool that is named wins; otherwise the match must be clear, because the chosen tool runs next. */
export async function chooseTool(said: string, tools: Tools, workingDirectory?: string): Promise<Choice> {
  const named = namedIn(said.slice(0, searchedLengthMax), tools)
  if (named.length === 1 && named[0]) return { type: 'tool', tool: named[0] }
  if (named.length > 1) return { type: 'several', tools: named }
  if (greeting.test(said)) return { type: 'greeting' }

  const beginning = said.slice(0, searchedLengthMax)
  const wish = readWish(beginning)
  const fits = (await mapInSlices(tools, (tool) => measure(wish, tool, beginning, workingDirectory))).filter((fit) => fit !== undefined)
  const current = fits.filter(({ tool }) => !/\bdeprecated\b/i.test(tool.description))
  const considered = current.length > 0 ? current : fits
  const best = considered.toSorted(compareFits).at(0)
  if (!best) return { type: 'none' }
  return decide(
    considered.filter((fit) => compareFits(fit, best) === 0).map(({ tool }) => tool),
    said,
  )
}

/** Several names match equally well. The descriptions may still tell them apart. */
async function decide(tools: Tools, said: string): Promise<Choice> {
  const ranked = await rank(said, tools)
  const equal = ranked.filter(({ score }) => score >= (ranked[0]?.score ?? 0) * sameScoreShare).map(({ tool }) => tool)
  const [tool, ...others] = equal.length > 0 ? equal : tools
  if (!tool) return { type: 'none' }
  return others.length > 0 ? { type: 'several', tools: [tool, ...others] } : { type: 'tool', tool }
}

/** Finds tools that are named in full (`get-sum`, `calc__add`). An everyday word that is also a tool's name does not count. */
function namedIn(said: string, tools: Tools): OfflineTool[] {
  const tokens = (said.match(/[\p{L}\p{N}_.-]+/gu) ?? [])
    .map((token) => token.replace(/[.-]+$/, ''))
    .filter((token) => /[_-]|\p{Ll}\p{Lu}/u.test(token))
  return [...new Set(tokens.flatMap((token) => findTools(token, tools)))]
}

async function rank(said: string, tools: Tools): Promise<{ tool: OfflineTool; score: number }[]> {
  const { search } = await createToolSearch(
    tools.map((tool) => ({ ref: { server: null, tool: tool.name }, description: tool.description, inputSchema: { ...tool.schema } })),
  )
  return search(said, candidatesMax).flatMap(({ index, score }) => (tools[index] ? [{ tool: tools[index], score }] : []))
}

interface Fit {
  readonly tool: OfflineTool
  readonly pathsLeft: number
  /** Words of the name found in the sentence. A hint counts half. */
  readonly hits: number
  /** Share of the name that was found. */
  readonly share: number
  readonly isFilled: boolean
  readonly isLiteral: boolean
  /** A file contains text unless its extension says otherwise. */
  readonly isText: boolean
}

function compareFits(a: Fit, b: Fit): number {
  return (
    a.pathsLeft - b.pathsLeft ||
    b.hits - a.hits ||
    b.share - a.share ||
    Number(b.isFilled) - Number(a.isFilled) ||
    Number(b.isLiteral) - Number(a.isLiteral) ||
    Number(b.isText) - Number(a.isText)
  )
}

/**
 * Measures how well a tool matches. A match contains most of the tool's name, or consists only of words from its name and purpose. When in
 * doubt, there is no match: a tool without required arguments would run at once.
 */
function measure(wish: WishWords, tool: OfflineTool, said: string, workingDirectory: string | undefined): Fit | undefined {
  const name = nameConcepts(tool)
  const words = wordsOf(bareNameOf(tool)).map(stem)
  const isNamed = (concept: string) => wish.plain.includes(concept) || (wish.literal.has(concept) && !wish.weak.has(concept))
  const plain = name.filter(isNamed)
  const found = name.filter((concept) => isNamed(concept) || wish.weak.has(concept) || wish.looks.has(concept))
  const known = conceptsOfPurpose(tool)
  const isCovered = wish.plain.every((concept) => known.has(concept))
  const isDescribed = isCovered && wish.plain.length > 1
  const hasWish = plain.some((concept) => !wish.looks.has(concept)) || (isCovered && name.some((concept) => wish.weak.has(concept)))

  if (!isDescribed && (!hasWish || found.length <= name.length / 2 || hasUnexplainedWords(wish, tool, found.length))) return undefined

  const { values, missing } = fillArguments(tool, said, { workingDirectory, loose: false })
  const isFilled = missing.length === 0
  const isLiteral = words.some((word) => wish.literal.has(word) && isNamed(conceptOf(word)))
  const fit: Fit = {
    tool,
    pathsLeft: Math.max(0, wish.pathCount - (tool.schema.required ?? []).flatMap((name) => values[name] ?? []).length),
    hits: plain.length + (found.length - plain.length) / 2,
    share: found.length / name.length,
    isFilled,
    isLiteral,
    isText: name.includes(conceptOf('text')) && !wish.looks.has(conceptOf('media')),
  }
  if (isDescribed || name.length > 1) return fit
  // A single word counts if the sentence begins with it, or if all required arguments are present.
  return (isLiteral && wish.plain[0] === name[0]) || (isFilled && needsSomething(tool)) ? fit : undefined
}

const unsayingWords: ReadonlySet<string> = new Set(['get', 'the', 'of', 'as', 'with', 'a', 'an', 'to', 'for', 'and', 'from', 'in', 'by'])

function nameConcepts(tool: OfflineTool): string[] {
  const words = wordsOf(bareNameOf(tool))
  const meaningful = words.filter((word) => !unsayingWords.has(word))
  return [...new Set((meaningful.length > 0 ? meaningful : words).map(conceptOf))]
}

/** Words of the tool's name and of the first sentence of its description. Later sentences may be about anything. */
function conceptsOfPurpose(tool: OfflineTool): Set<string> {
  const [purpose = ''] = tool.description.slice(0, purposeCharsMax).split(/(?<=[.!?])\s/)
  return new Set(wordsOf(`${bareNameOf(tool)} ${purpose}`).map(conceptOf))
}

/** Arguments may consist of any words. A tool without required arguments does not match a sentence with too many other words. */
function hasUnexplainedWords({ plain }: WishWords, tool: OfflineTool, found: number): boolean {
  if (needsSomething(tool)) return false
  const known = conceptsOfPurpose(tool)
  const ofArguments = new Set(Object.keys(propertiesOf(tool.schema)).flatMap((name) => wordsOf(name).map(conceptOf)))
  return plain.filter((concept) => !known.has(concept) && !ofArguments.has(concept)).length >= found
}

function needsSomething({ schema }: OfflineTool): boolean {
  return (schema.required ?? []).length > 0
}
