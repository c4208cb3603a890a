const queryTermsMax = 64
const queryCharsMax = 20_000

/** Stop words count only if there are no others. */
export function searchTermsOf(query: string): string[] {
  const all = [...new Set(wordsOf(query.slice(0, queryCharsMax)))]
  const telling = all.filter((word) => !stopWords.has(word))
  return (telling.length > 0 ? telling : all).slice(0, queryTermsMax)
}

/** Splits a text into lower-case words; `readFile`, `read_file` and `HTTPServer` are two words each. */
export function wordsOf(text: string): string[] {
  const apart = text
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
  return apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

const stopWords: ReadonlySet<string> = new Set(
  [
    'a an the and or but if of to in on at by for with from into about as than then so because since while during before after between',
    'through across around near without within against per via over under up down off out again once too only even still ever never',
    'i me my we us our you your he she it its they them their his her this that these those there here who what which when where why how',
    'am is are was were be been being do does did done have has had will would shall should can could may might must not no yes',
    'im ive id ill dont cant s t m re ve ll d',
    'please help want need like love know tell give get let make show find look looking search provide suggest recommend assist assistance',
    'helping trying try use used using way ways thing things something anything someone some any many much more most lot lots few several',
    'each every all both other another own same such just really very also additionally furthermore moreover however',
    'information info detail details specific different various related relevant regarding concerning based include including includes',
    'possible available able interested interest planning plan wondering curious best good better great top popular new recent recently',
    'current currently latest hi hello hey thank thanks kindly appreciate',
  ]
    .join(' ')
    .split(' '),
)

/** A rough stemmer: it maps `adds` to `add` and keeps `files` apart from `filing`. */
export function stem(word: string): string {
  const singular =
    word.length > 4 ? word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '') : word.replace(/(?<!s)s$/, '')
  const root = singular.length > 4 ? singular.replace(/(?:ing|ed)$/, '') : singular
  return root.length > 3 ? root.replace(/e$/, '') : root
}
