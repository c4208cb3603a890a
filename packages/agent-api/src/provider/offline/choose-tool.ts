import { mapInSlices } from '../../base/in-slices.ts'
import { searchTermsOf, wordsOf, stem } from '../../tools/search-terms.ts'
import { fillArguments } from './fill-arguments.ts'
import type { OfflineTool } from './offline-tool.ts'
import { bareNameOf, findTools } from './read-call.ts'
import { readCharsMax, readValues } from './read-values.ts'

type Tools = readonly OfflineTool[]

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

/**
 * Chooses the tool of whose name the sentence has most words. A tool that is named wins. Returns several tools if
 * they match equally well, and nothing if in doubt, because the chosen tool runs next.
 */
export async function chooseTool(said: string, tools: Tools): Promise<Tools> {
  const text = said.slice(0, readCharsMax)
  const named = namedIn(text, tools)
  if (named.length > 0) return named
  const wish = readWish(text)
  const fits = (await mapInSlices(tools, (tool) => measure(wish, tool))).filter((fit) => fit !== undefined)
  const [best, ...others] = fits.toSorted(compareFits)
  return best ? [best, ...others.filter((fit) => compareFits(fit, best) === 0)].map(({ tool }) => tool) : []
}

/** Finds tools that are named in full (`get-sum`, `calc__add`). An everyday word that is also a tool's name does not count. */
function namedIn(said: string, tools: Tools): OfflineTool[] {
  const tokens = (said.match(/[\p{L}\p{N}_.-]+/gu) ?? [])
    .map((token) => token.replace(/[.-]+$/, ''))
    .filter((token) => /[_-]|\p{Ll}\p{Lu}/u.test(token))
  return [...new Set(tokens.flatMap((token) => findTools(token, tools)))]
}

interface Wish {
  readonly text: string
  /** As they are said, without regard to their meaning. */
  readonly spoken: ReadonlySet<string>
  readonly concepts: ReadonlySet<string>
  /** The same words without stop words, in their order. */
  readonly telling: readonly string[]
}

function readWish(text: string): Wish {
  const { values, rest } = readValues(text)
  const words = rest.replace(/[\p{L}\p{N}_-]+=\S*/gu, ' ')
  const spoken = wordsOf(words)
  // `notes.txt` is a file, and so is `*.md`.
  if (values.some(({ kind, text }) => kind === 'path' || text.includes('*'))) spoken.push('file')
  return {
    text,
    spoken: new Set(spoken.map(stem)),
    concepts: new Set(spoken.map(conceptOf)),
    telling: searchTermsOf(words).map(stem),
  }
}

interface Fit {
  readonly tool: OfflineTool
  /** Words of the name that are in the sentence. */
  readonly hits: number
  readonly share: number
  readonly isDeprecated: boolean
  /** Words of the name that the sentence has as they are, and not as another word of the same meaning. */
  readonly same: number
}

function compareFits(a: Fit, b: Fit): number {
  return (
    b.hits - a.hits || b.share - a.share || Number(a.isDeprecated) - Number(b.isDeprecated) || b.same - a.same
  )
}

const emptyWords: ReadonlySet<string> = new Set('get the of as with a an to for and from in by'.split(' '))

/** A match has most of the tool's name. A tool without required arguments would run at once, so nearly all must be about it. */
function measure({ text, spoken, concepts, telling }: Wish, tool: OfflineTool): Fit | undefined {
  const all = [...new Set(wordsOf(bareNameOf(tool)))]
  const name = all.filter((word) => all.length === 1 || !emptyWords.has(word))
  const hits = name.filter((word) => concepts.has(conceptOf(word)))
  if (hits.length <= name.length / 2) return undefined
  const { required = [], properties = {} } = tool.schema
  const own = new Set([...name, ...Object.keys(properties).flatMap(wordsOf)].map(conceptOf))
  const others = telling.filter((word) => !own.has(conceptOf(word)))
  const isClear =
    required.length === 0
      ? others.length < hits.length
      : // A single word counts if the sentence begins with it, or if all required arguments are present.
        name.length > 1 ||
        name.some((word) => stem(word) === telling[0]) ||
        (others.length === 0 && fillArguments(tool, text).missing.length === 0)
  if (!isClear) return undefined
  const same = hits.filter((word) => spoken.has(stem(word))).length
  const isDeprecated = /\bdeprecated\b/i.test(tool.description)
  return { tool, hits: hits.length, share: hits.length / name.length, isDeprecated, same }
}
