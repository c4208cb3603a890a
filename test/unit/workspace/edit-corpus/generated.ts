import type { EditCase } from './hand-written.ts'
import { sources } from './sources.ts'

/** A way in which a model's old_text differs from the file, and the expected outcome. */
interface Variation {
  readonly name: string
  readonly toText?: (text: string) => string
  readonly toOld: (block: string) => string
  readonly toNew?: (block: string) => string
  /** Undefined: the edit succeeds. */
  readonly fails?: RegExp
  readonly note?: RegExp
  /** Leaves out blocks for which the variation makes no difference, or another one. */
  readonly applies?: (block: string, source: string) => boolean
}

const crlf = (text: string) => text.replaceAll('\n', '\r\n')
const indentAll = (by: string) => (block: string) => block.replaceAll(/^(?=.*\S)/gm, by)
const hasContent = (block: string) => /\w/.test(block)
const isAlone = (block: string, source: string) =>
  source.split('\n').filter((line) => line.trim() === block.trim().split('\n')[0]?.trim()).length === 1

const variations: readonly Variation[] = [
  { name: 'as it is', toOld: (block) => block },
  { name: 'in a CRLF file', toText: crlf, toOld: (block) => block, note: /line endings/ },
  { name: 'CRLF in both', toText: crlf, toOld: crlf, toNew: crlf },
  { name: 'CRLF in an LF file', toOld: crlf, toNew: crlf, note: /line endings/ },
  {
    name: 'with blanks at the ends of its lines',
    toOld: (block) => block.replaceAll('\n', '  \n'),
    note: /blanks/,
  },
  {
    name: 'without the blanks of the file',
    toText: (text) => text.replaceAll(/(\S)$/gm, '$1 \t'),
    toOld: (block) => block,
    note: /blanks/,
  },
  {
    name: 'indented further',
    toOld: indentAll('   '),
    toNew: indentAll('   '),
    note: /indentation/,
    applies: hasContent,
  },
  {
    name: 'indented further by tabs',
    toOld: indentAll('\t'),
    toNew: indentAll('\t'),
    note: /indentation/,
    applies: hasContent,
  },
  {
    name: 'in a file that is indented further',
    toText: indentAll('\t'),
    toOld: (block) => block,
    note: /indentation/,
    applies: hasContent,
  },
  {
    name: 'twice in the file',
    toText: (text) => `${text}\n${text}`,
    toOld: (block) => block,
    fails: /2 times, at lines \d+, \d+/,
  },
  {
    name: 'with one letter wrong',
    toOld: (block) => block.replace(/\w(?=\W*$)/, 'ÿ'),
    fails: /not in the file/,
    applies: hasContent,
  },
  {
    name: 'with the numbers of read_file',
    toOld: (block) => block.replaceAll(/^(?=.*\S)/gm, '7\t'),
    fails: /line numbers/,
    applies: hasContent,
  },
]

/** Blocks of two and three lines from the middle of each source. */
export const generatedCases: readonly EditCase[] = Object.entries(sources).flatMap(([file, source]) => {
  const lines = source.split('\n')
  const blocks = [0.25, 0.5, 0.75].flatMap((part) => {
    const first = Math.floor(lines.length * part)
    return [2, 3].map((count) => `${lines.slice(first, first + count).join('\n')}\n`)
  })
  return blocks.flatMap((block) =>
    variations.flatMap((variation): EditCase[] => {
      const { name, toText = String, toOld, toNew = String, fails, note, applies = () => true } = variation
      const isUsable =
        source.split(block).length === 2 &&
        hasContent(block) &&
        isAlone(block, source) &&
        applies(block, source)
      if (!isUsable) return []
      const text = toText(source)
      const replacement = block.replace(/\w+/, 'replaced').replace(/\n$/, '\n')
      const old = toOld(block)
      const place = toText(block)
      const expected =
        fails ??
        text.replace(place, () =>
          toText(replacement).replace(/ \t\n/g, variation.name.startsWith('without') ? '\n' : ' \t\n'),
        )
      return [
        {
          name: `${file}, ${JSON.stringify(block.slice(0, 24))} (${block.split('\n').length - 1} lines) ${name}`,
          text,
          edits: [{ old, new: toNew(replacement) }],
          expected,
          ...(fails === undefined && note && { note }),
        },
      ]
    }),
  )
})
