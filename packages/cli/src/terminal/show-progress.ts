import type { Output } from './io.ts'

const shownAfterMs = 1_000
const redrawnEveryMs = 250

/** Shows a progress line on a terminal after a while, and keeps it up to date. Does nothing otherwise. */
export function showProgress(stream: Output, line: () => string): Disposable {
  if (stream.isTTY !== true) return { [Symbol.dispose]() {} }
  let redrawing: NodeJS.Timeout | undefined
  const draw = () => stream.write(`\r${line()}\u001b[K`)
  const waiting = setTimeout(() => {
    draw()
    redrawing = setInterval(draw, redrawnEveryMs)
  }, shownAfterMs)
  return {
    [Symbol.dispose]() {
      clearTimeout(waiting)
      if (redrawing === undefined) return
      clearInterval(redrawing)
      stream.write('\r\u001b[K')
    },
  }
}
