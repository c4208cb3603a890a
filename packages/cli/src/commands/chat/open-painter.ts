import type { Io } from '../../terminal/io.ts'
import { createLiveRegion } from '../../terminal/live-region.ts'
import { styleFor, type Style } from '../../terminal/style.ts'
import { firstState } from './chat-state.ts'
import { toLiveRows, type Size, type View } from './to-live-rows.ts'

/** The contents of the screen: the rows that change, and the rows to print above them. */
interface Shown extends View {
  readonly above: readonly string[]
  /** The time at which the activity in the status began. */
  readonly busySince: number
}

/** Keeps the screen up to date with the view. Disposing it leaves only the rows that stay. */
export interface Painter extends Disposable {
  readonly style: Style
  size(): Size
  shown(): Shown
  change(next: Partial<Shown>): void
  /** Removes the rows that change, until the next change. */
  erase(): void
  eraseScreen(): void
}

/** The minimum time between two drawings of the screen. */
const drawEveryMs = 30
const clockEveryMs = 1_000
const defaultSize: Size = { columns: 80, rows: 24 }

export function openPainter({ stdout: output, env }: Pick<Io, 'stdout' | 'env'>): Painter {
  const style = styleFor(output, env)
  const region = createLiveRegion(output)
  const status = { model: '', mode: '', contextUsed: 0, contextSize: 0, doing: 'Starting', doingMs: 0 }
  let shown: Shown = {
    state: { ...firstState, isBusy: true },
    status,
    tail: '',
    above: [],
    busySince: Date.now(),
  }
  let drawing: NodeJS.Timeout | undefined
  const size = () => ({
    columns: output.columns || defaultSize.columns,
    rows: output.rows || defaultSize.rows,
  })

  function change(next: Partial<Shown>): void {
    shown = { ...shown, ...next }
    drawing ??= setTimeout(draw, drawEveryMs)
  }

  function draw(): void {
    clearTimeout(drawing)
    drawing = undefined
    const doingMs = shown.state.isBusy ? Date.now() - shown.busySince : 0
    region.draw(shown.above, toLiveRows({ ...shown, status: { ...shown.status, doingMs } }, size(), style))
    shown = { ...shown, above: [] }
  }

  const clock = setInterval(() => shown.state.isBusy && change({}), clockEveryMs)
  const onResize = () => change({})
  output.on('resize', onResize)
  draw()
  return {
    style,
    size,
    shown: () => shown,
    change,
    erase: region.erase,
    eraseScreen: region.eraseScreen,
    [Symbol.dispose]() {
      clearInterval(clock)
      clearTimeout(drawing)
      output.off('resize', onResize)
      region.erase()
      if (shown.above.length > 0) output.write(`${shown.above.join('\n')}\n`)
    },
  }
}
