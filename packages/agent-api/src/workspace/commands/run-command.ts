import { OstlerError } from '../../base/errors.ts'
import { orAborted, atMost } from '../../base/or-aborted.ts'
import { showHidden } from '../../base/strip-hidden.ts'
import {
  errorResult,
  objectSchema,
  type CallPlan,
  type Tool,
  type ToolArguments,
  type ToolCallContext,
  type ToolResult,
} from '../../messages/tool.ts'
import { orErrorResult } from '../file-tool.ts'
import { isSandboxed, toSandbox, type Fence, type Sandbox } from '../../fence/fence.ts'
import { describeFence, type FenceReport } from '../../messages/fence-report.ts'
import { isHeld } from '../../policy/approval.ts'
import { reachOf } from '../workspace-path.ts'
import {
  readNews,
  resolveDirectory,
  toCommandContent,
  type CommandToolOptions,
  describeState,
  isSuccess,
  shownSeconds,
} from './command-tool.ts'
import { followOutput } from './follow-output.ts'
import type { ShelvedCommand } from './open-command-shelf.ts'
import { toCodeBlock } from './to-output-text.ts'

/** The longest argument that a system accepts. */
const lineBytesMax = 128 * 1024 - 1
/** A command in the background may fail at once. */
const firstLookMs = 500

export function runCommandTool(options: CommandToolOptions): Tool {
  const { limits, sandbox } = options
  const seconds = (ms: number) => Math.round(ms / 1_000)
  return {
    ref: { server: null, tool: 'run_command' },
    title: 'Run command',
    description:
      'Runs a shell line. Returns its exit code and the end of its output. It has no input: use flags that avoid questions. ' +
      `Stopped after ${seconds(limits.timeoutMs)} s unless timeout (seconds) is set. ` +
      'Set background for servers and watchers: it returns an id for command_output and stop_command.' +
      // A grant is bound to this text, so one that was given inside does not hold outside.
      (isSandboxed(sandbox) ? ` In a sandbox: ${JSON.stringify(toSandbox(sandbox))}.` : ''),
    kind: 'execute',
    hasOwnTimeout: true,
    inputSchema: objectSchema(['command'], {
      command: { type: 'string', minLength: 1 },
      cwd: { type: 'string' },
      timeout: { type: 'integer', minimum: 1, maximum: seconds(limits.timeoutMsMax) },
      background: { type: 'boolean' },
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    plan: (args) => planCommand(args, options),
    execute: (args, context) => orErrorResult(() => runCommand(args, options, context)),
  }
}

async function planCommand(
  { command, cwd = '.' }: ToolArguments,
  options: CommandToolOptions,
): Promise<CallPlan> {
  const line = checkedLine(command)
  const directory = await resolveDirectory(cwd, options)
  const shown = showHidden(line)
  const fence = await findFence(options)
  const where = directory.shown === '.' ? '' : `In ${showHidden(directory.shown)}:\n`
  const held = fence === undefined ? '' : `\nIt runs ${describeFence(fence)}.`
  return {
    title: shown.replace(/\s*\n\s*/g, ' ⏎ ').trim(),
    effect: 'run',
    command: { line, cwd: directory.real },
    content: [{ type: 'text', text: `${where}${toCodeBlock(shown, 'sh')}${held}` }],
    ...(fence && { fence }),
    ...reachOf([directory], 'run'),
    ...(directory.isOutside && { outsideFolder: directory.real }),
  }
}

function sandboxOf({ sandbox = 'off', isFenced }: CommandToolOptions): Sandbox {
  return isFenced() && !isSandboxed(sandbox) ? 'on' : sandbox
}

/** Throws `fence.unavailable`. Loads nothing unless the settings ask for a fence. */
async function findFence(options: CommandToolOptions): Promise<FenceReport | undefined> {
  const sandbox = sandboxOf(options)
  if (!isSandboxed(sandbox)) return undefined
  const { checkFence } = await import('../../fence/open-fence.ts')
  return checkFence(sandbox, options.askHost !== undefined)
}

/** A command that was allowed because a fence holds it never runs without one. */
async function openFence(
  options: CommandToolOptions,
  planned: FenceReport | undefined,
): Promise<Fence | undefined> {
  const { roots, own, askHost } = options
  const now = sandboxOf(options)
  const sandbox = isHeld(planned) ? { ...toSandbox(now), level: 'required' as const } : now
  if (!isSandboxed(sandbox)) return undefined
  const { openFence } = await import('../../fence/open-fence.ts')
  return openFence(sandbox, { writable: roots, ...own, askHost })
}

function checkedLine(command: unknown): string {
  const line = String(command)
  const problem =
    line.trim() === ''
      ? 'is empty'
      : line.includes('\0')
        ? 'contains a NUL character'
        : Buffer.byteLength(line) > lineBytesMax
          ? 'is too long: write it to a file and run that'
          : undefined
  if (problem === undefined) return line
  throw new OstlerError('workspace.bad_command', `The command ${problem}.`)
}

async function runCommand(
  args: ToolArguments,
  options: CommandToolOptions,
  context: ToolCallContext,
): Promise<ToolResult> {
  const { shelf, limits } = options
  const line = checkedLine(args['command'])
  const { real } = await resolveDirectory(args['cwd'] ?? '.', options)
  const allowed = context.plan?.command
  if (allowed !== undefined && (allowed.cwd !== real || allowed.line !== line))
    throw new OstlerError(
      'workspace.path_changed',
      'Nothing was run: the directory changed after the call was allowed. Call again.',
    )
  const fence = await openFence(options, context.plan?.fence)
  context.signal.throwIfAborted()
  const command = await shelf.start({ line, cwd: real, fence }, context.signal)
  using _shown = followOutput(command, options.cleaner, context.show)
  if (args['background'] === true) return runInBackground(command, options, context)
  const timeoutMs =
    typeof args['timeout'] === 'number' ? args['timeout'] * 1_000 : (context.timeoutMs ?? limits.timeoutMs)
  const outcome = await waitForEnd(command, timeoutMs, context.signal)
  if (outcome === 'ended') return toEndResult(command, options)
  if (outcome === 'cancelled') return toCancelled(command, options)
  await command.stop()
  const reason = `[timed out: stopped after ${shownSeconds(timeoutMs)}. If it needs longer, set "timeout" (at most ${Math.round(limits.timeoutMsMax / 1_000)}), or run it in the background.]`
  return toEndResult(command, options, reason)
}

async function runInBackground(
  command: ShelvedCommand,
  options: CommandToolOptions,
  { signal }: ToolCallContext,
): Promise<ToolResult> {
  try {
    options.shelf.keep(command)
  } catch (error) {
    await options.shelf.forget(command)
    throw error
  }
  const outcome = await waitForEnd(command, firstLookMs, signal)
  if (outcome === 'ended') return toEndResult(command, options)
  if (outcome === 'cancelled') return toCancelled(command, options)
  const text = `Started in the background with the id "${command.id}". Read its output with command_output. It ends with the session, or with stop_command.`
  return {
    isError: false,
    content: toCommandContent(command, `${text}\n${(await readNews(command, options)).text}`),
  }
}

async function toCancelled(command: ShelvedCommand, { shelf }: CommandToolOptions): Promise<ToolResult> {
  await shelf.forget(command)
  return errorResult('The command was cancelled.')
}

async function waitForEnd(
  command: ShelvedCommand,
  ms: number,
  signal: AbortSignal,
): Promise<'ended' | 'late' | 'cancelled'> {
  const ended = command.ended.then(() => 'ended' as const)
  return atMost(ms, orAborted(ended, signal, 'cancelled' as const), 'late' as const)
}

/** Without a reason, the way the command ended decides whether it succeeded. */
async function toEndResult(
  command: ShelvedCommand,
  options: CommandToolOptions,
  reason?: string,
): Promise<ToolResult> {
  const { shelf } = options
  const end = await command.ended
  const { text, isCut } = await readNews(command, options)
  const state = reason ?? describeState(command)
  // The output is read again only if a part of it was left out.
  if (isCut) shelf.keep(command)
  else void shelf.forget(command)
  return {
    isError: reason !== undefined || !isSuccess(end),
    content: toCommandContent(command, `${text}\n\n${state}`),
  }
}
