import { stat } from 'node:fs/promises'
import type { TextCleaner } from '../../base/clean-text.ts'
import { OstlerError, toSystemReason } from '../../base/errors.ts'
import type { AskHost, OwnPlaces, Sandbox } from '../../fence/fence.ts'
import type { HeldFence } from '../../messages/fence-report.ts'
import type { ToolOutput } from '../../messages/tool.ts'
import { isHeld } from '../../policy/approval.ts'
import type { WorkspaceMemory } from '../workspace-memory.ts'
import { resolvePath, type WorkspaceBounds, type WorkspacePath } from '../workspace-path.ts'
import type { CommandShelf, ShelvedCommand } from './open-command-shelf.ts'
import { readOutputEnd, readOutputFrom } from './read-output.ts'
import type { OutputPiece, CommandEnd } from '../workspace.ts'
import { toCodeBlock } from './to-output-text.ts'

export interface CommandToolOptions extends WorkspaceBounds {
  readonly shelf: CommandShelf
  readonly cleaner: TextCleaner
  readonly limits: CommandLimits
  /** As configured. In the mode `fenced`, commands have one anyway. */
  readonly sandbox: Sandbox | undefined
  readonly isFenced: () => boolean
  readonly askHost: AskHost | undefined
  readonly own: OwnPlaces
  readonly memory: Pick<WorkspaceMemory, 'outputRead'>
}

export interface CommandLimits {
  /** If the model does not choose one. */
  readonly timeoutMs: number
  /** The longest timeout that the model may choose. */
  readonly timeoutMsMax: number
}

const timeoutMsDefault = 2 * 60_000
const timeoutMsMaxDefault = 10 * 60_000

/** A timeout above the usual maximum raises it, and a low maximum lowers the timeout. */
export function toCommandLimits({
  timeoutMs,
  timeoutMsMax,
}: { readonly [K in keyof CommandLimits]?: number | undefined }): CommandLimits {
  const max = timeoutMsMax ?? Math.max(timeoutMsMaxDefault, timeoutMs ?? 0)
  return { timeoutMs: Math.min(timeoutMs ?? timeoutMsDefault, max), timeoutMsMax: max }
}

/** Limit on the output that one result may add to a conversation. */
const shownBytesMax = 32 * 1024

/** Throws `workspace.bad_path` if the path is not a directory. */
export async function resolveDirectory(path: unknown, bounds: WorkspaceBounds): Promise<WorkspacePath> {
  const resolved = await resolvePath(String(path), bounds)
  const found = await stat(resolved.real).catch((error: unknown) => toSystemReason(error))
  const problem =
    typeof found === 'string' ? found : found.isDirectory() ? undefined : 'it is not a directory'
  if (problem === undefined) return resolved
  throw new OstlerError(
    'workspace.bad_path',
    `The directory ${JSON.stringify(path)} cannot be used: ${problem}.`,
  )
}

/** The output that the model has not read yet. If it is too long, this is only its end, and `isCut` is set. */
export async function readNews(
  command: ShelvedCommand,
  { cleaner, memory }: Pick<CommandToolOptions, 'cleaner' | 'memory'>,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const from = memory.outputRead.get(command.id) ?? 0
  const shown = await readOutputEnd(
    command.output,
    { from, bytesMax: shownBytesMax, isOpen: command.end === undefined },
    cleaner,
  )
  memory.outputRead = new Map([...memory.outputRead, [command.id, readMark(command, shown)]])
  if (shown.start <= from) return { text: blockOf(shown), isCut: false }
  const note = `[${shownNumber(shown.start - from)} bytes before this are not shown. To read them, use command_output with "id": "${command.id}" and "from": ${from}.]`
  return { text: `${note}\n${blockOf(shown)}`, isCut: true }
}

export async function readPage(command: ShelvedCommand, from: number, cleaner: TextCleaner): Promise<string> {
  const size = await command.output.size()
  if (from >= size)
    return `[The output has ${shownNumber(size)} bytes: there is nothing at ${shownNumber(from)}.]`
  const shown = await readOutputFrom(
    command.output,
    { from, bytesMax: shownBytesMax, isOpen: command.end === undefined },
    cleaner,
  )
  const lost =
    shown.start > from + 3 ? `[The output before byte ${shownNumber(shown.start)} is no longer kept.]\n` : ''
  const more =
    shown.end < size
      ? `\n[The output goes on: read more with "from": ${shown.end}. It has ${shownNumber(size)} bytes.]`
      : ''
  return `${lost}${blockOf(shown)}${more}`
}

/** An unfinished line is shown again with its rest, so that no line is split. */
function readMark({ end }: ShelvedCommand, shown: OutputPiece): number {
  if (end !== undefined) return shown.end
  const line = shown.text.slice(shown.text.lastIndexOf('\n') + 1)
  return Math.max(shown.start, shown.end - Buffer.byteLength(line))
}

function blockOf({ text }: OutputPiece): string {
  return text.trim() === '' ? '[no output]' : toCodeBlock(text)
}

/** The editor shows its terminal instead of the text. */
export function toCommandContent({ terminalId }: ShelvedCommand, text: string): readonly ToolOutput[] {
  return terminalId === undefined ? [{ type: 'text', text }] : [{ type: 'terminal', terminalId, text }]
}

function shownNumber(value: number): string {
  return value.toLocaleString('en')
}

/** The state of a command, in brackets, so that the model can tell it from output. */
export function describeState({ end, startedAt, fence }: ShelvedCommand): string {
  if (end === undefined) return `[still running after ${shownSeconds(performance.now() - startedAt)}]`
  const left = end.leftProcesses
    ? '\n[Processes that it had started were still running and were ended. To keep a process running, use "background".]'
    : ''
  const held = isSuccess(end) || !isHeld(fence) ? '' : `\n${describeLimits(fence)}`
  return `${describeEnd(end)}${held}${left}`
}

/** A program inside says only that a file or a host is not there, or that it may not write. */
function describeLimits({ network }: HeldFence): string {
  const hosts = network === 'none' ? 'no host' : 'only hosts that the person allows'
  return `[It ran in a sandbox. It reaches ${hosts}, writes only in the session’s directories, and cannot read keys or change Git’s files and settings that run programs.]`
}

function describeEnd({ exitCode, signal, isLost = false }: CommandEnd): string {
  if (isLost) return '[the editor did not say how it ended]'
  if (signal !== null) return `[ended by signal ${signal}]`
  return exitCode === null ? '[ended without an exit code]' : `[exit code ${exitCode}]`
}

export function shownSeconds(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Some terminals of editors end without an exit code. Nothing says that their commands failed. */
export function isSuccess({ exitCode, signal, isLost = false }: CommandEnd): boolean {
  return (exitCode ?? 0) === 0 && signal === null && !isLost
}
