import type { TextCleaner } from '../../base/clean-text.ts'
import type { ToolOutput } from '../../messages/tool.ts'
import { toCommandContent } from './command-tool.ts'
import type { ShelvedCommand } from './open-command-shelf.ts'
import { readOutputEnd } from './read-output.ts'
import { toCodeBlock } from './to-output-text.ts'

/** The shown output of a running command is bounded, and so is the number of updates, because each of them is stored. */
const liveBytesMax = 4 * 1024
const pauseMsMin = 200
const pauseMsMax = 5_000
/** The longer a command runs, the rarer its updates. */
const pauseShare = 0.1

/** Shows the output while the command runs. An editor shows its terminal itself. Disposing it ends the updates. */
export function followOutput(
  command: ShelvedCommand,
  cleaner: TextCleaner,
  show: (content: readonly ToolOutput[]) => void,
): Disposable {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  if (command.terminalId !== undefined) {
    // Before it is released: a released terminal can no longer be shown.
    show(toCommandContent(command, ''))
    return { [Symbol.dispose]: () => undefined }
  }

  function later(): void {
    const runsMs = performance.now() - command.startedAt
    timer ??= setTimeout(
      () => void showEnd(),
      Math.min(pauseMsMax, Math.max(pauseMsMin, runsMs * pauseShare)),
    )
  }

  async function showEnd(): Promise<void> {
    const { text, start } = await readOutputEnd(
      command.output,
      { from: 0, bytesMax: liveBytesMax, isOpen: true },
      cleaner,
    )
    timer = undefined
    if (isOver || text.trim() === '') return
    show([{ type: 'text', text: toCodeBlock(start > 0 ? `…\n${text}` : text) }])
  }

  const stopListening = command.output.onChange(later)
  return {
    [Symbol.dispose]() {
      isOver = true
      stopListening()
      clearTimeout(timer)
    },
  }
}
