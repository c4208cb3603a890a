import type { TextCleaner } from '../../base/clean-text.ts'
import type { CommandOutput, OutputPiece } from '../workspace.ts'
import { toOutputText } from './to-output-text.ts'

/** Read before the part that is shown, so that no part of a secret remains where it begins. */
const lookBackBytes = 16 * 1024

interface OutputRange {
  readonly from: number
  readonly bytesMax: number
  /** True if the command may still print, so that the output may end within a secret. */
  readonly isOpen?: boolean
}

/** The end of the output after a position, beginning with a whole line if there is one. */
export async function readOutputEnd(
  output: CommandOutput,
  { from, bytesMax, isOpen = false }: OutputRange,
  cleaner: TextCleaner,
): Promise<OutputPiece> {
  const size = await output.size()
  const shown = await output.read(Math.max(from, size - bytesMax), size)
  const skipped = size - from > bytesMax ? shown.text.slice(0, shown.text.indexOf('\n') + 1) : ''
  const piece = skipped.length < shown.text.length ? withoutStart(shown, skipped) : shown
  return toShown(output, isOpen ? withoutOpenEnd(piece, cleaner) : piece, cleaner)
}

/** The output from a position on, up to the last whole line if there is one. */
export async function readOutputFrom(
  output: CommandOutput,
  { from, bytesMax, isOpen = false }: OutputRange,
  cleaner: TextCleaner,
): Promise<OutputPiece> {
  const shown = await output.read(from, from + bytesMax)
  const isLast = shown.end >= (await output.size())
  const whole = shown.text.slice(0, shown.text.lastIndexOf('\n') + 1)
  if (whole !== '' && !isLast) return toShown(output, withoutEnd(shown, whole.length), cleaner)
  return toShown(output, isOpen || !isLast ? withoutOpenEnd(shown, cleaner) : shown, cleaner)
}

function withoutStart({ start, end, text }: OutputPiece, skipped: string): OutputPiece {
  return { start: start + Buffer.byteLength(skipped), end, text: text.slice(skipped.length) }
}

/** The omitted part is read again with its rest. */
function withoutOpenEnd(piece: OutputPiece, cleaner: TextCleaner): OutputPiece {
  return withoutEnd(piece, piece.text.length - cleaner.openEnd(piece.text))
}

function withoutEnd({ start, end, text }: OutputPiece, length: number): OutputPiece {
  return { start, end: end - Buffer.byteLength(text.slice(length)), text: text.slice(0, length) }
}

async function toShown(
  output: CommandOutput,
  { start, end, text }: OutputPiece,
  cleaner: TextCleaner,
): Promise<OutputPiece> {
  const before = start === 0 ? '' : (await output.read(start - lookBackBytes, start)).text
  return { text: toOutputText(cleaner.rest(before, text)), start, end }
}
