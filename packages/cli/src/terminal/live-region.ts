import { stripVTControlCharacters } from 'node:util'
import type { Output } from './io.ts'
import { textWidth } from './text-width.ts'

/** The rows at the bottom of the screen that change. Each must be narrower than the terminal. */
export interface LiveRows {
  readonly rows: readonly string[]
  readonly cursor: { readonly row: number; readonly column: number }
}

/** The rows on the screen now. */
interface Drawn {
  /** The width of each row down to the cursor's. */
  readonly widths: readonly number[]
}

/**
 * Draws rows that stay above rows that change. Uses only the sequences for moving up and right and for erasing to the end, so it works on
 * any terminal and does not touch the scrollback.
 */
export interface LiveRegion {
  draw(above: readonly string[], live: LiveRows): void
  /** Removes the rows that change. */
  erase(): void
  /** Erases the screen, but not the scrollback. */
  eraseScreen(): void
}

const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'
const eraseBelow = '\u001b[J'

export function createLiveRegion(output: Output): LiveRegion {
  let drawn: Drawn | undefined
  return {
    draw(above, { rows, cursor }) {
      const lines = [...above.map((row) => `${row}\n`), rows.join('\n')].join('')
      const up = rows.length - 1 - cursor.row
      output.write(
        `${hideCursor}${toTop(drawn, output)}${lines}${up > 0 ? `\u001b[${up}A` : ''}\r${toRight(cursor.column)}${showCursor}`,
      )
      drawn = { widths: rows.slice(0, cursor.row + 1).map((row) => textWidth(stripVTControlCharacters(row))) }
    },
    erase() {
      output.write(toTop(drawn, output))
      drawn = undefined
    },
    eraseScreen() {
      output.write('\u001b[2J\u001b[H')
      drawn = undefined
    },
  }
}

/** Moves to the first row. After a resize, the terminal may have broken rows in two. */
function toTop(drawn: Drawn | undefined, { columns = 0 }: Output): string {
  if (drawn === undefined) return ''
  const width = columns > 0 ? columns : Infinity
  const rowsOf = (rowWidth: number) => Math.max(1, Math.ceil(rowWidth / width))
  const up = drawn.widths.slice(0, -1).reduce((sum, rowWidth) => sum + rowsOf(rowWidth), 0)
  return `\r${up > 0 ? `\u001b[${up}A` : ''}${eraseBelow}`
}

function toRight(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : ''
}
