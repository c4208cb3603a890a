import { plainStyle, withCode, type Char } from './styled-text.ts'

/** The screen of a small terminal, which knows the sequences that a chat may use, and throws on any other. */
export interface TerminalScreen {
  write(output: string): void
  /** The rows that have left the screen, and those on it. */
  readonly text: () => string
  /** The rows on the screen. */
  readonly rows: () => readonly string[]
  /** The same as `text`, with styles. */
  readonly styledText: () => readonly (readonly Char[])[]
  readonly cursor: () => { readonly row: number; readonly column: number }
  /** Breaks longer rows in two, as most terminals do. */
  resize(columns: number, rows: number): void
}

// oxlint-disable-next-line no-control-regex -- Control characters are what this is about.
const sequence = /^\u001b\[(\??[\d;]*)([A-Za-z])/

export function createTerminalScreen(firstColumns: number, firstRows: number): TerminalScreen {
  let [columns, rows] = [firstColumns, firstRows]
  const space: Char = { char: ' ', style: plainStyle }
  const blank = () => Array.from({ length: columns }, () => space)
  let grid = Array.from({ length: rows }, blank)
  const scrolled: (readonly Char[])[] = []
  let style = plainStyle
  let [row, column] = [0, 0]
  let rest = ''
  const toText = (cells: readonly Char[]) =>
    cells
      .map(({ char }) => char)
      .join('')
      .trimEnd()

  function lineFeed(): void {
    if (row < rows - 1) row++
    else {
      scrolled.push(grid[0] ?? [])
      grid = [...grid.slice(1), blank()]
    }
  }

  function obey(parameters: string, final: string): void {
    const count = parameters === '' ? 1 : Number(parameters)
    switch (final) {
      case 'A':
        row = Math.max(0, row - count)
        return
      case 'C':
        column = Math.min(columns - 1, column + count)
        return
      case 'H':
        row = column = 0
        return
      case 'J':
        if (parameters === '')
          grid = grid.map((cells, at) =>
            at < row ? cells : at > row ? blank() : [...cells.slice(0, column), ...blank().slice(column)],
          )
        else grid = grid.map(blank)
        return
      case 'm':
        style = withCode(style, parameters === '' ? 0 : count)
        return
      default:
        if (!['?25', '?2004'].includes(parameters) || !'hl'.includes(final))
          throw new Error(`not allowed: ESC [ ${parameters}${final}`)
    }
  }

  function put(character: string): void {
    if (character === '\r') column = 0
    else if (character === '\n') lineFeed()
    else {
      if (/\p{Cc}/u.test(character)) throw new Error(`not allowed: ${JSON.stringify(character)}`)
      if (column === columns) {
        column = 0
        lineFeed()
      }
      const cells = grid[row] ?? []
      cells[column++] = { char: character, style }
    }
  }

  return {
    write(output) {
      rest += output
      while (rest !== '') {
        const found = sequence.exec(rest)
        // The end of a sequence may still be on its way.
        if (found === null && rest.startsWith('\u001b') && rest.length < 16) return
        if (found === null) {
          const [character = ''] = rest
          put(character)
          rest = rest.slice(character.length)
        } else {
          obey(found[1] ?? '', found[2] ?? '')
          rest = rest.slice(found[0].length)
        }
      }
    },
    text: () => [...scrolled, ...grid].map(toText).join('\n').trimEnd(),
    rows: () => grid.map(toText),
    styledText: () => [...scrolled, ...grid].map((cells) => cells.slice(0, toText(cells).length)),
    cursor: () => ({ row, column }),
    resize(newColumns, newRows) {
      const broken = grid.map((cells) => {
        const { length } = toText(cells)
        return Array.from({ length: Math.max(1, Math.ceil(length / newColumns)) }, (_, at) =>
          cells.slice(at * newColumns, Math.min(length, (at + 1) * newColumns)),
        )
      })
      row = broken.slice(0, row).flat().length + Math.floor(column / newColumns)
      column %= newColumns
      columns = newColumns
      rows = newRows
      const lines = broken.flat()
      // Lines below the cursor that do not fit are lost.
      const over = Math.max(0, row + 1 - rows)
      scrolled.push(...lines.slice(0, over))
      row -= over
      grid = Array.from({ length: rows }, (_, at) => {
        const line = lines[over + at] ?? []
        return [...line, ...blank().slice(line.length)]
      })
    },
  }
}
