import { stem } from './search-terms.ts'

/** Two characters encode a related word, beginning with this code. */
export const firstCode = 48
export const codeBase = 79

/** Returns words of similar or wider meaning: for `mare`, among others `horse`. Made from WordNet and from the keywords of emojis. */
export type RelatedWords = (word: string) => readonly string[]

let loaded: Promise<RelatedWords> | undefined

export function loadRelatedWords(): Promise<RelatedWords> {
  return (loaded ??= load())
}

async function load(): Promise<RelatedWords> {
  const { default: table } = await import('./related-words.json', { with: { type: 'json' } })
  const words = table.words.split(' ')
  const codesOf = new Map(
    table.rows.split('\n').map((row) => row.split(' ') as [word: string, codes: string]),
  )
  return (word) => {
    const root = stem(word)
    const known = [word, word.replace(/s$/, ''), root, `${root}e`].find((form) => codesOf.has(form)) ?? ''
    return (codesOf.get(known)?.match(/../g) ?? []).flatMap((code) => words[indexOf(code)] ?? [])
  }
}

function indexOf(code: string): number {
  return (code.charCodeAt(0) - firstCode) * codeBase + code.charCodeAt(1) - firstCode
}
