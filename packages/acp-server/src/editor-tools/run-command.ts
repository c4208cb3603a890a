import type { TerminalExitStatus } from '@agentclientprotocol/sdk'
import { errorResult, type Tool, type ToolArguments, type ToolCallContext, type ToolResult } from '@ostler/agent-api'
import { orErrorResult, withPath, type EditorToolOptions } from './tool-context.ts'

/** Limit on the output that the editor keeps, and therefore on what the model reads. The end is kept, because errors are usually there. */
const outputBytesMax = 128 * 1024

export function runCommandTool(options: EditorToolOptions): Tool {
  return {
    ref: { server: null, tool: 'run_command' },
    title: 'Run command',
    description:
      'Runs a program in a terminal of the editor, where the person sees it, and waits for it to end. ' +
      '"command" is the program itself, not a shell line: for pipes and other shell features, run "sh" with ["-c", "…"]. Returns its output and exit code.',
    kind: 'execute',
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1, description: 'The program' },
        args: { type: 'array', items: { type: 'string' }, description: 'Its arguments' },
        cwd: { type: 'string', description: 'The working directory (default: that of the session)' },
        env: { type: 'object', additionalProperties: { type: 'string' }, description: 'Additional environment variables' },
      },
      required: ['command'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    execute: (args, context) =>
      withPath(args['cwd'] ?? '.', options, (cwd) => orErrorResult(() => runInTerminal(options, args, cwd, context))),
  }
}

async function runInTerminal(
  { client }: EditorToolOptions,
  args: ToolArguments,
  cwd: string,
  context: ToolCallContext,
): Promise<ToolResult> {
  const { signal } = context
  signal.throwIfAborted()
  // Not cancelled with the call: a terminal that is being created must still be released.
  const creating = client.createTerminal({
    command: String(args['command']),
    ...commandDetails(args),
    cwd,
    outputByteLimit: outputBytesMax,
  })
  const terminalId = await orAbort(creating, signal).catch((error: unknown) => {
    creating.then(discard, () => undefined)
    throw error
  })
  // Shown at once, so that the person can watch the command. A released terminal can no longer be shown.
  context.show([{ type: 'terminal', terminalId, text: '' }])
  try {
    const exit = await client.waitForTerminalExit(terminalId, signal)
    const { output, truncated } = await client.terminalOutput(terminalId, signal)
    const text = `${truncated ? '[the beginning was left out]\n' : ''}${output}\n\n${describeExit(exit)}`
    return { isError: exit.exitCode !== 0, content: [{ type: 'terminal', terminalId, text: text.trim() }] }
  } catch (error) {
    if (!signal.aborted) throw error
    return errorResult('The command was cancelled.')
  } finally {
    discard(terminalId)
  }

  /** Not awaited: an unresponsive editor must not hold up the turn. */
  function discard(id: string): void {
    if (signal.aborted) client.killTerminal(id).catch(() => undefined)
    client.releaseTerminal(id).catch(() => undefined)
  }
}

function commandDetails(args: ToolArguments) {
  const list = Array.isArray(args['args']) ? args['args'].map(String) : []
  const env = Object.entries((args['env'] ?? {}) as Record<string, unknown>).map(([name, value]) => ({ name, value: String(value) }))
  return { args: list, env }
}

function describeExit({ exitCode, signal }: TerminalExitStatus): string {
  if (signal !== null && signal !== undefined) return `[ended by signal ${signal}]`
  return exitCode === null || exitCode === undefined ? '[ended without an exit code]' : `[exit code ${exitCode}]`
}

async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(new Error('The command was cancelled'))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
