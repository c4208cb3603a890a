import { emitKeypressEvents, type Interface } from 'node:readline'
import type { ReadStream } from 'node:tty'
import type { Io } from './io.ts'
import type { Key } from './edit-line.ts'
import { toSafeText } from './safe-text.ts'

/** A plain Escape is recognized after this time without more characters. Enough for a slow connection to send the rest of a key. */
const escapeMs = 100

const pasteOn = '\u001b[?2004h'
/** Ends bracketed paste, and returns the cursor and the colors, whatever was being drawn. */
const restored = '\u001b[?2004l\u001b[?25h\u001b[0m'

/** Reads single keys. The terminal is restored however the process ends, except after SIGKILL. */
export function openRawTerminal({ stdin, stdout, onExit }: Io, onKey: (key: Key) => void) {
  const stream = stdin as ReadStream
  const listen = (
    text: string | undefined,
    { name, ctrl, meta, shift, sequence }: Omit<Key, 'text'> & { readonly sequence?: string },
  ) => {
    const isPrintable = text !== undefined && text === sequence && !/^\p{Cc}$/u.test(text)
    onKey({ name, ctrl, meta, shift, text: isPrintable ? toSafeText(text) : '' })
  }
  const raw = {
    /** Gives the terminal back, until `resume`. */
    suspend(): void {
      stream.setRawMode(false)
      stdout.write(restored)
    },
    resume(): void {
      stream.setRawMode(true)
      stdout.write(pasteOn)
    },
    [Symbol.dispose](): void {
      exiting[Symbol.dispose]()
      stream.off('keypress', listen)
      stream.pause()
      raw.suspend()
    },
  }
  const exiting = onExit(() => raw.suspend())
  // Only this field of an interface is read.
  emitKeypressEvents(stream, { escapeCodeTimeout: escapeMs } as unknown as Interface)
  stream.on('keypress', listen)
  stream.resume()
  raw.resume()
  return raw
}
