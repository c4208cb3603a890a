import { searchTermsOf, wordsOf } from '../../tools/search-terms.ts'
import { stem } from '../../tools/stem.ts'
import { takeTokens, tokenKinds } from './tokens.ts'

/** The concepts in a sentence. Synonyms share one concept. */
export interface WishWords {
  /** In sentence order, without values. */
  readonly plain: readonly string[]
  /** Verbs that often carry little meaning (`show`, `find`). */
  readonly weak: ReadonlySet<string>
  /** Concepts implied by the form of values: `notes.txt` is a file. Not sufficient for a match on their own. */
  readonly looks: ReadonlySet<string>
  /** All words, stemmed. */
  readonly literal: ReadonlySet<string>
  readonly pathCount: number
}

/** The first word of each line is the concept. */
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

export function conceptOf(word: string): string {
  const root = stem(word)
  return conceptOfStem.get(root) ?? root
}

/** Words after these name a value. */
const naming = /\b(?:called|named|titled)\s[\s\S]*$/i
const pair = /[\p{L}\p{N}_-]+=\S*/gu
const whatIsIn = /\bwhat(?:'s|’s| is| are| does| do)?\b[^.?!]*?\b(?:in|inside|contains?|say)\b/i
const showIt = /^\W*(?:please\s+)?(?:show|print|display)(?:\s+me)?\s+\S+\W*$/i
const extension = /\.([a-z][a-z0-9]{0,4})$/i
const mediaExtension = /^(?:png|jpe?g|gif|webp|bmp|svg|mp3|wav|ogg|flac|mp4|webm)$/i

export function readWish(said: string): WishWords {
  const tokens = takeTokens(said, {})
  const values = tokenKinds.flatMap((kind) => tokens.takeAll(kind))
  const words = tokens.rest().replace(pair, ' ').replace(naming, ' ')
  const literal = new Set(wordsOf(words).map(stem))
  const paths = values.filter(({ kind, text }) => kind === 'path' || kind === 'fileUrl' || (kind === 'quoted' && isPathLike(text)))
  const plain = searchTermsOf(words).map(conceptOf)
  const hasFile = paths.some(({ text }) => extension.test(text))
  if (hasFile && (whatIsIn.test(said) || showIt.test(said))) plain.unshift(conceptOf('read'))
  else if (whatIsIn.test(said) && (paths.length > 0 || plain.includes(conceptOf('directory')))) plain.unshift(conceptOf('list'))
  return {
    plain: [...new Set(plain)],
    weak: new Set([...literal].filter((root) => conceptOfStem.has(root) || synonymConcepts.has(root)).map(conceptOf)),
    looks: new Set(paths.flatMap(({ text }) => looksOf(text)).map(conceptOf)),
    literal,
    pathCount: paths.length,
  }
}

const synonymConcepts = new Set(conceptOfStem.values())

function isPathLike(text: string): boolean {
  return /^[^\s]*[/\\]|^~|^file:\/\/|\.[a-z][a-z0-9]{0,4}$/i.test(text)
}

function looksOf(path: string): string[] {
  const [, suffix] = extension.exec(path) ?? []
  if (suffix === undefined) return ['file', 'directory']
  return ['file', mediaExtension.test(suffix) ? 'media' : 'text']
}
