import { searchTermsOf, wordsOf } from '../../tools/tool-search.ts'
import { stem } from './stem.ts'
import { takeTokens, tokenKinds } from './tokens.ts'

/** What a sentence says it wants, in concepts: words that mean the same to a tool's name are one. */
export interface WishWords {
  /** In the order of the sentence, without the values in it. */
  readonly plain: readonly string[]
  /** Words that may mean little (`show`, `find`), and what a value's look says (`notes.txt` is a file). Alone they are no wish. */
  readonly hinted: ReadonlySet<string>
  /** The words themselves, to tell `add` from what means the same. */
  readonly literal: ReadonlySet<string>
}

/** The first of each is the concept. */
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

/** Words after these name a value, not the wish. */
const naming = /\b(?:called|named|titled)\s[\s\S]*$/i
const pair = /[\p{L}\p{N}_-]+=\S*/gu
const whatIsIn = /\bwhat(?:'s|’s| is| are| does| do)?\b[^.?!]*?\b(?:in|inside|contains?|say)\b/i
const extension = /\.([a-z][a-z0-9]{0,4})$/i
const mediaExtension = /^(?:png|jpe?g|gif|webp|bmp|svg|mp3|wav|ogg|flac|mp4|webm)$/i

export function readWish(said: string): WishWords {
  const tokens = takeTokens(said, {})
  const values = tokenKinds.flatMap((kind) => tokens.takeAll(kind))
  const words = tokens.rest().replace(pair, ' ').replace(naming, ' ')
  const terms = searchTermsOf(words)
  const all = wordsOf(words)
  const paths = values.filter(({ kind, text }) => kind === 'path' || kind === 'fileUrl' || (kind === 'quoted' && isPathLike(text)))
  const looks = paths.flatMap(({ text }) => looksOf(text))
  const plain = terms.map(conceptOf)
  const thing = plain.includes(conceptOf('directory')) || (paths.length > 0 && !looks.some((look) => look === 'media' || look === 'text'))
  if (whatIsIn.test(said) && (paths.length > 0 || thing)) {
    const hasName = paths.some(({ text }) => extension.test(text))
    plain.unshift(conceptOf(hasName ? 'read' : 'list'))
  }
  const weak = all.map(stem).filter((root) => conceptOfStem.has(root) || synonymConcepts.has(root))
  return {
    plain: [...new Set(plain)],
    hinted: new Set([...weak.map(conceptOf), ...looks.map(conceptOf)]),
    literal: new Set(all.map(stem)),
  }
}

const synonymConcepts = new Set(conceptOfStem.values())

export function isPathLike(text: string): boolean {
  return /^[^\s]*[/\\]|^~|^file:\/\/|\.[a-z][a-z0-9]{0,4}$/i.test(text)
}

function looksOf(path: string): string[] {
  const [, suffix] = extension.exec(path) ?? []
  if (suffix === undefined) return ['file', 'directory']
  return ['file', mediaExtension.test(suffix) ? 'media' : 'text']
}
