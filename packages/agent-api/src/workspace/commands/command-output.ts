import { orAborted, atMost } from '../../base/or-aborted.ts'
import { showHidden } from '../../base/strip-hidden.ts'
import { objectSchema, textResult, type CallPlan, type Tool } from '../../messages/tool.ts'
import { orErrorResult } from '../file-tool.ts'
import { readNews, readPage, type CommandToolOptions, describeState } from './command-tool.ts'
import type { ShelvedCommand } from './open-command-shelf.ts'

/** A call waits for new output, for a model that polls. */
const newsMsMax = 3_000

const outputSchema = objectSchema(['id'], {
  id: { type: 'string' },
  from: { type: 'integer', minimum: 0 },
})

export function commandOutputTool(options: CommandToolOptions): Tool {
  const { shelf, cleaner } = options
  return {
    ref: { server: null, tool: 'command_output' },
    title: 'Command output',
    description:
      'Returns what a command printed since the last call, and whether it still runs. With from: its output from that byte on.',
    kind: 'read',
    inputSchema: outputSchema,
    annotations: { readOnlyHint: true },
    plan: ({ id }) => planFor('Output of', shelf.find(String(id))),
    execute: ({ id, from }, { signal }) =>
      orErrorResult(async () => {
        const command = shelf.find(String(id))
        if (typeof from !== 'number') await waitForNews(command, options, signal)
        const text =
          typeof from === 'number'
            ? await readPage(command, from, cleaner)
            : (await readNews(command, options)).text
        return textResult(`${text}\n\n${describeState(command)}`)
      }),
  }
}

const stopSchema = objectSchema(['id'], { id: { type: 'string' } })

export function stopCommandTool(options: CommandToolOptions): Tool {
  const { shelf } = options
  return {
    ref: { server: null, tool: 'stop_command' },
    title: 'Stop command',
    description: 'Stops a background command. Returns the rest of its output.',
    kind: 'execute',
    inputSchema: stopSchema,
    plan: ({ id }) => planFor('Stop', shelf.find(String(id))),
    execute: ({ id }) =>
      orErrorResult(async () => {
        const command = shelf.find(String(id))
        const hadEnded = command.end !== undefined
        await command.stop()
        const { text } = await readNews(command, options)
        return textResult(
          `${text}\n\n${hadEnded ? `${describeState(command)} [it had already ended]` : '[stopped]'}`,
        )
      }),
  }
}

/** Needs no permission: the command was allowed when it started. */
function planFor(verb: string, { line }: ShelvedCommand): Promise<CallPlan> {
  return Promise.resolve({ title: `${verb} ${showHidden(line).replace(/\s*\n\s*/g, ' ⏎ ')}`, effect: 'none' })
}

async function waitForNews(
  command: ShelvedCommand,
  { memory }: CommandToolOptions,
  signal: AbortSignal,
): Promise<void> {
  const read = memory.outputRead.get(command.id) ?? 0
  if (command.end !== undefined || (await command.output.size()) > read) return
  const { promise: changed, resolve } = Promise.withResolvers<void>()
  const stopListening = command.output.onChange(resolve)
  await atMost(newsMsMax, orAborted(Promise.race([changed, command.ended]), signal, undefined), undefined)
  stopListening()
}
