import { stripVTControlCharacters } from 'node:util'
import type { Output } from './io.ts'
import { textWidth } from './text-width.ts'

/** The rows at the bottom of the screen that change. Each must be narrower than the terminal. */
export interface LiveRows {
  readonly rows: readonly string[]
  readonly cursor: { readonly row: number; readonly column: number }
}

const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'
const eraseBelow = '\u001b[J'

/**
 * Draws rows that stay above rows that change. Uses only the sequences for moving up and right and for erasing to the end, so it works on
 * any terminal and does not touch the scrollback.
 */
export function createLiveRegion(output: Output) {
  /** The width of each row on the screen, down to the cursor's. */
  let widths: readonly number[] = []
  return {
    draw(above: readonly string[], { rows, cursor }: LiveRows): void {
      const lines = [...above.map((row) => `${row}\n`), rows.join('\n')].join('')
      const up = rows.length - 1 - cursor.row
      output.write(
        `${hideCursor}${toTop(widths, output)}${lines}${up > 0 ? `\u001b[${up}A` : ''}\r${toRight(cursor.column)}${showCursor}`,
      )
      widths = rows.slice(0, cursor.row + 1).map((row) => textWidth(stripVTControlCharacters(row)))
    },
    /** Removes the rows that change. */
    erase(): void {
      output.write(toTop(widths, output))
      widths = []
    },
    /** Keeps the scrollback. */
    eraseScreen(): void {
      output.write('\u001b[2J\u001b[H')
      widths = []
    },
  }
}

/** Moves to the first row. After a resize, the terminal may have broken rows in two. */
function toTop(widths: readonly number[], { columns = 0 }: Output): string {
  if (widths.length === 0) return ''
  const width = columns > 0 ? columns : Infinity
  const rowsOf = (rowWidth: number) => Math.max(1, Math.ceil(rowWidth / width))
  const up = widths.slice(0, -1).reduce((sum, rowWidth) => sum + rowsOf(rowWidth), 0)
  return `\r${up > 0 ? `\u001b[${up}A` : ''}${eraseBelow}`
}

function toRight(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : ''
}
