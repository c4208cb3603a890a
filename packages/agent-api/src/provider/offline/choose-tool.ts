import { mapInSlices } from '../../base/in-slices.ts'
import { searchTermsOf, wordsOf, stem } from '../../tools/search-terms.ts'
import { bareNameOf, findTools } from './command.ts'
import { fillArguments } from './fill-arguments.ts'
import type { OfflineTool } from './offline-tool.ts'
import { isPathLike, isPattern, readCharsMax, readValues } from './read-values.ts'

type Tools = readonly OfflineTool[]

/** Only this much of a description is searched for its first sentence. */
const purposeCharsMax = 1_000
const greeting =
  /^\s*(?:hi|hello|hey|help|thanks?|who are you|what (?:are|is) (?:you|this)|what can you do)\b.{0,30}$/i

/**
 * Chooses the tool whose name has most words of the sentence. A tool that is named wins. Returns several tools if
 * they match equally well, and nothing if in doubt, because the chosen tool runs next.
 */
export async function chooseTool(
  said: string,
  tools: Tools,
  workingDirectory?: string,
): Promise<Tools | 'greeting'> {
  const text = said.slice(0, readCharsMax)
  const named = namedIn(text, tools)
  if (named.length > 0) return named
  if (greeting.test(said)) return 'greeting'
  const wish = readWish(text)
  const measured = await mapInSlices(tools, (tool) => measure(wish, tool, text, workingDirectory))
  const fits = measured.filter((fit) => fit !== undefined)
  const current = fits.filter(({ tool }) => !/\bdeprecated\b/i.test(tool.description))
  const sorted = (current.length > 0 ? current : fits).toSorted(compareFits)
  const [best] = sorted
  return sorted.filter((fit) => best && compareFits(fit, best) === 0).map(({ tool }) => tool)
}

/** Finds tools that are named in full (`get-sum`, `calc__add`). An everyday word that is also a tool's name does not count. */
function namedIn(said: string, tools: Tools): OfflineTool[] {
  const tokens = (said.match(/[\p{L}\p{N}_.-]+/gu) ?? [])
    .map((token) => token.replace(/[.-]+$/, ''))
    .filter((token) => /[_-]|\p{Ll}\p{Lu}/u.test(token))
  return [...new Set(tokens.flatMap((token) => findTools(token, tools)))]
}

/** The first word of each line stands for all of them. */
const synonyms = [
  'directory folder dir',
  'sum add plus',
  'delete remove',
  'list show display print',
  'read open cat view',
  'search find',
  'write save',
  'create make',
]
const conceptOfStem = new Map(
  synonyms.flatMap((line) => {
    const [concept = '', ...others] = line.split(' ').map(stem)
    return others.map((other) => [other, concept] as const)
  }),
)

function conceptOf(word: string): string {
  const root = stem(word)
  return conceptOfStem.get(root) ?? root
}

interface Wish {
  readonly spoken: ReadonlySet<string>
  /** The same words, without regard to their meaning. */
  readonly literal: ReadonlySet<string>
  /** Without stop words, in their order. */
  readonly telling: ReadonlySet<string>
  /** The first of them as it is written. */
  readonly first: string
  /** Concepts implied by the form of values: `notes.txt` is a file. Not sufficient for a match on their own. */
  readonly looks: ReadonlySet<string>
}

function readWish(said: string): Wish {
  const { values, rest } = readValues(said)
  const words = rest.replace(/[\p{L}\p{N}_-]+=\S*/gu, ' ')
  const terms = searchTermsOf(words)
  const literal = new Set(wordsOf(words).map(stem))
  const spoken = new Set(wordsOf(words).map(conceptOf))
  const telling = new Set(terms.map(conceptOf))
  const extensions = values
    .filter((value) => isPathLike(value) || isPattern(value))
    .map(({ text }) => /\.([a-z][a-z0-9]{0,4})$/i.exec(text)?.[1] ?? '')
  const isPlace = extensions.length > 0 || telling.has(conceptOf('directory'))
  if (isPlace && /\bwhat\b.*\b(?:in|inside)\b/i.test(said)) {
    const verb = conceptOf(extensions.some((each) => each !== '') ? 'read' : 'list')
    spoken.add(verb)
    telling.add(verb)
  }
  return {
    spoken,
    literal,
    telling,
    first: stem(terms[0] ?? ''),
    looks: new Set(extensions.flatMap(looksOf).map(conceptOf)),
  }
}

function looksOf(extension: string): string[] {
  if (extension === '') return ['file', 'directory']
  const isMedia = /^(?:png|jpe?g|gif|webp|bmp|svg|mp3|wav|ogg|flac|mp4|webm)$/i.test(extension)
  return ['file', isMedia ? 'media' : 'text']
}

interface Fit {
  readonly tool: OfflineTool
  readonly unused: number
  /** Words of the name found in the sentence. A hint counts half. */
  readonly hits: number
  readonly share: number
  readonly missing: number
  /** Words of the name found as they are, and not as another word of the same meaning. */
  readonly same: number
}

function compareFits(a: Fit, b: Fit): number {
  return (
    a.unused - b.unused || b.hits - a.hits || b.share - a.share || a.missing - b.missing || b.same - a.same
  )
}

/**
 * Measures how well a tool matches. A match contains most of the tool's name, or consists only of words from its
 * name and purpose. When in doubt, there is no match: a tool without required arguments would run at once.
 */
function measure(
  { spoken, literal, telling, first, looks }: Wish,
  tool: OfflineTool,
  said: string,
  workingDirectory: string | undefined,
): Fit | undefined {
  const all = wordsOf(bareNameOf(tool))
  const words = all.filter((word) => all.length === 1 || !emptyWords.has(word))
  const name = [...new Set(words.map(conceptOf))]
  const inName = name.filter((concept) => spoken.has(concept))
  const found = name.filter((concept) => spoken.has(concept) || looks.has(concept))
  const purpose = tool.description.slice(0, purposeCharsMax).split(/(?<=[.!?])\s/, 1)
  const known = new Set(wordsOf(`${bareNameOf(tool)} ${purpose[0]}`).map(conceptOf))
  const unknown = [...telling].filter((concept) => !known.has(concept))
  const needsArguments = (tool.schema.required ?? []).length > 0
  const isDescribed = telling.size > 1 && unknown.length === 0
  const isNamed =
    found.length > name.length / 2 &&
    inName.some((concept) => !looks.has(concept)) &&
    (needsArguments || unknown.filter((concept) => !isArgument(concept, tool)).length < found.length)
  if (!isDescribed && !isNamed) return undefined
  const { missing, unused } = fillArguments(tool, said, { workingDirectory, loose: false })
  // A single word counts if the sentence begins with it, or if all required arguments are present.
  const isClear = name.length > 1 || words.some((word) => stem(word) === first)
  if (!isDescribed && !isClear && (missing.length > 0 || !needsArguments)) return undefined
  const told = inName.filter((concept) => telling.has(concept)).length
  return {
    tool,
    unused,
    hits: told + (found.length - told) / 2,
    share: found.length / name.length,
    missing: missing.length,
    same: words.filter((word) => literal.has(stem(word))).length,
  }
}

const emptyWords: ReadonlySet<string> = new Set('get the of as with a an to for and from in by'.split(' '))

function isArgument(concept: string, { schema }: OfflineTool): boolean {
  return Object.keys(schema.properties ?? {}).some((name) => wordsOf(name).map(conceptOf).includes(concept))
}
