/** A terminal's color and cursor sequences. They are removed whole, so that `[31m` does not stay behind. */
const ansiSequence =
  // oxlint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])|\u009b[0-?]*[ -/]*[@-~]/y

/**
 * Characters that are invisible to a person but readable for a model: those that Unicode calls controls or ignorable, except tab and line
 * ends, and some that only look empty. A test compares the ranges with the properties; computing them would delay the start.
 */
const hiddenRanges: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
]
/** Unicode tags, further variation selectors, and invisible marks of hieroglyphs, shorthand and musical notation. */
const hiddenPairs: typeof hiddenRanges = [
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]
/** A table, because every character of every text is looked up. */
const isHidden = new Uint8Array(0x10000)
for (const [first, last] of hiddenRanges) isHidden.fill(1, first, last + 1)

const hex = (code: number) => code.toString(16).padStart(4, '0')
/**
 * Also matches halves of surrogate pairs, which need a closer look. Most texts have none, and a regular expression is the fastest way to
 * find out.
 */
const notPlain = new RegExp(
  `[${[...hiddenRanges, [0xd800, 0xdfff] as const].map(([first, last]) => `\\u${hex(first)}-\\u${hex(last)}`).join('')}]`,
)

const escape = 0x1b
const controlSequence = 0x9b
const carriageReturn = 0x0d
const lineFeed = 0x0a
const nonJoiner = 0x200c
const joiner = 0x200d
const emojiSelector = 0xfe0f
const keycap = 0x20e3
const replacement = 0xfffd
/** Braille pictures use it for alignment, so it becomes a space. */
const brailleBlank = 0x2800
const space = 0x20

const pictographs = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}`
const pictograph = new RegExp(`^[${pictographs}]$`, 'u')
/** Scripts in which a joiner between two letters is part of the spelling. */
const joinedScripts = String.raw`\p{Script=Arabic}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}`
const joinedScript = new RegExp(`^[${joinedScripts}]$`, 'u')

/**
 * Removes hidden characters. Emoji keep their joiners and selectors, and so do scripts that need joiners. Runs in linear time, because a
 * server chooses the text.
 */
export function stripHidden(text: string): string {
  const from = text.search(notPlain)
  if (from === -1) return text
  const kept = new Uint16Array(text.length)
  for (let at = 0; at < from; at++) kept[at] = text.charCodeAt(at)
  let length = from
  for (let at = from; at < text.length;) {
    const code = text.charCodeAt(at)
    if (isPlain(code)) {
      kept[length++] = code
      at++
    } else if (isHidden[code] === 1) {
      if (isKept(text, at, code)) kept[length++] = code === brailleBlank ? space : code
      at += code === escape || code === controlSequence ? sequenceLength(text, at) : 1
    } else {
      const character = text.codePointAt(at) ?? 0
      const isPair = character > 0xffff
      if (!isPair) kept[length++] = replacement
      else if (!isHiddenPair(character)) {
        kept[length++] = code
        kept[length++] = text.charCodeAt(at + 1)
      }
      at += isPair ? 2 : 1
    }
  }
  return Buffer.from(kept.buffer, 0, 2 * length).toString('utf16le')
}

/** For a text that must stay on one line. */
export function stripHiddenLine(text: string): string {
  return stripHidden(text)
    .replace(/[\t\r\n]+/g, ' ')
    .trim()
}

const openEndCharsMax = 256
// oxlint-disable-next-line no-control-regex -- Control characters are what this is about.
const openSequence = /(?:\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b]*\u001b?)?|\u009b[0-?]*[ -/]*)$/
const openCharacter = new RegExp(
  String.raw`(?:[\r\ud800-\udbff]|[${pictographs}${joinedScripts}\u200c\u200d\ufe0f][\u200c\u200d\ufe0f]{0,2})$`,
  'u',
)

/** Counts the characters at the end of a text that cannot be judged yet: part of an escape sequence, of a character or of an emoji. */
export function hiddenOpenEnd(text: string): number {
  const tail = text.slice(-openEndCharsMax)
  return (openSequence.exec(tail) ?? openCharacter.exec(tail))?.[0].length ?? 0
}

const everyHidden = new RegExp(
  `[${[...hiddenRanges, ...hiddenPairs].map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('')}]`,
  'gu',
)

/** True if a person cannot see all of a name: it has hidden characters, or more than one line. */
export function hasUnseen(name: string): boolean {
  return /\p{Cc}/u.test(name) || stripHidden(name) !== name
}

/** Shows hidden characters as escapes, in values that are used unchanged. */
export function showHidden(text: string): string {
  if (stripHidden(text) === text) return text
  return text.replace(everyHidden, toJsonEscape)
}

/** One escape for each half of a pair. */
export function toJsonEscape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}

function isPlain(code: number): boolean {
  return isHidden[code] === 0 && (code < 0xd800 || code > 0xdfff)
}

function isHiddenPair(character: number): boolean {
  return hiddenPairs.some(([first, last]) => character >= first && character <= last)
}

function isKept(text: string, at: number, code: number): boolean {
  switch (code) {
    case brailleBlank:
      return true
    case carriageReturn:
      return text.charCodeAt(at + 1) === lineFeed
    case emojiSelector:
      return text.charCodeAt(at + 1) === keycap || pictograph.test(characterBefore(text, at))
    case joiner:
      return (
        joinsAt(text, at) ||
        pictograph.test(characterBefore(text, text.charCodeAt(at - 1) === emojiSelector ? at - 1 : at))
      )
    case nonJoiner:
      return joinsAt(text, at)
    default:
      return false
  }
}

function joinsAt(text: string, at: number): boolean {
  return joinedScript.test(characterBefore(text, at))
}

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1)
  return low >= 0xdc00 && low <= 0xdfff
    ? text.slice(Math.max(0, at - 2), at)
    : text.slice(Math.max(0, at - 1), at)
}

function sequenceLength(text: string, at: number): number {
  ansiSequence.lastIndex = at
  return ansiSequence.test(text) ? ansiSequence.lastIndex - at : 1
}
