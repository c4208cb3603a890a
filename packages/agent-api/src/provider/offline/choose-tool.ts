import { mapInSlices } from '../../base/in-slices.ts'
import { createToolSearch, wordsOf } from '../../tools/tool-search.ts'
import { bareNameOf, findTools } from './command.ts'
import { fillArguments } from './fill-arguments.ts'
import type { OfflineTool } from './offline-tool.ts'
import { propertiesOf } from './schema-shape.ts'
import { stem } from './stem.ts'
import { searchedLengthMax } from './tokens.ts'
import { conceptOf, readWish, type WishWords } from './wish-words.ts'

export type Choice =
  | { readonly type: 'tool'; readonly tool: OfflineTool }
  | { readonly type: 'several'; readonly tools: readonly OfflineTool[] }
  | { readonly type: 'greeting' }
  | { readonly type: 'none' }

type Tools = readonly OfflineTool[]

const candidatesMax = 8
/** A longer sentence says more than what a tool does. */
const purposeCharsMax = 1_000
/** Scores this close say nothing about which is meant. */
const sameScoreShare = 0.98

const greeting =
  /^\s*(?:hi|hello|hey|good (?:morning|evening|day)|help|thanks?(?: you)?|who are you|what (?:are|is) (?:you|this)|what can you do)\b[\s\S]{0,30}$/i

/** A tool that is named is meant; otherwise one must fit clearly, since what is chosen here is about to be run. */
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

/** Tools whose names fit equally well: what is said of them may still tell them apart. */
async function decide(tools: Tools, said: string): Promise<Choice> {
  const ranked = await rank(said, tools)
  const equal = ranked.filter(({ score }) => score >= (ranked[0]?.score ?? 0) * sameScoreShare).map(({ tool }) => tool)
  const [tool, ...others] = equal.length > 0 ? equal : tools
  if (!tool) return { type: 'none' }
  return others.length > 0 ? { type: 'several', tools: [tool, ...others] } : { type: 'tool', tool }
}

/** Named as a whole (`get-sum`, `calc__add`), not by an everyday word that happens to be a name. */
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
  /** Words of the name that the sentence has; a hint counts half. */
  readonly hits: number
  /** How much of the name that is. */
  readonly share: number
  readonly isFilled: boolean
  readonly isLiteral: boolean
  /** A file is text unless its name says otherwise. */
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
 * A fit is most of the tool's name, or a sentence whose every word is in the name and in what the tool says it does. In doubt it is none:
 * a tool that needs nothing would run at once.
 */
function measure(wish: WishWords, tool: OfflineTool, said: string, workingDirectory: string | undefined): Fit | undefined {
  const name = nameConcepts(tool)
  const words = wordsOf(bareNameOf(tool)).map(stem)
  const isSaid = (concept: string) => wish.plain.includes(concept) || (wish.literal.has(concept) && !wish.weak.has(concept))
  const plain = name.filter(isSaid)
  const found = name.filter((concept) => isSaid(concept) || wish.weak.has(concept) || wish.looks.has(concept))
  const known = conceptsOfPurpose(tool)
  const isCovered = wish.plain.every((concept) => known.has(concept))
  const isDescribed = isCovered && wish.plain.length > 1
  const hasWish = plain.some((concept) => !wish.looks.has(concept)) || (isCovered && name.some((concept) => wish.weak.has(concept)))

  if (!isDescribed && (!hasWish || found.length <= name.length / 2 || hasUnexplainedWords(wish, tool, found.length))) return undefined

  const { values, missing } = fillArguments(tool, said, { workingDirectory, loose: false })
  const isFilled = missing.length === 0
  const isLiteral = words.some((word) => wish.literal.has(word) && isSaid(conceptOf(word)))
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
  // One word is a wish where the sentence begins with it, or where all that the tool needs is there.
  return (isLiteral && wish.plain[0] === name[0]) || (isFilled && needsSomething(tool)) ? fit : undefined
}

const unsayingWords: ReadonlySet<string> = new Set(['get', 'the', 'of', 'as', 'with', 'a', 'an', 'to', 'for', 'and', 'from', 'in', 'by'])

function nameConcepts(tool: OfflineTool): string[] {
  const words = wordsOf(bareNameOf(tool))
  const saying = words.filter((word) => !unsayingWords.has(word))
  return [...new Set((saying.length > 0 ? saying : words).map(conceptOf))]
}

/** Its name and the sentence that says what it does: further sentences talk of anything. */
function conceptsOfPurpose(tool: OfflineTool): Set<string> {
  const [purpose = ''] = tool.description.slice(0, purposeCharsMax).split(/(?<=[.!?])\s/)
  return new Set(wordsOf(`${bareNameOf(tool)} ${purpose}`).map(conceptOf))
}

/** What a tool is to be given may be any words; where it needs nothing, too many others say that something else is meant. */
function hasUnexplainedWords({ plain }: WishWords, tool: OfflineTool, found: number): boolean {
  if (needsSomething(tool)) return false
  const known = conceptsOfPurpose(tool)
  const ofArguments = new Set(Object.keys(propertiesOf(tool.schema)).flatMap((name) => wordsOf(name).map(conceptOf)))
  return plain.filter((concept) => !known.has(concept) && !ofArguments.has(concept)).length >= found
}

function needsSomething({ schema }: OfflineTool): boolean {
  return (schema.required ?? []).length > 0
}
