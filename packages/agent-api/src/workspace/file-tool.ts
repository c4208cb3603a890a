import { dirname } from 'node:path'
import { messageOf, OstlerError } from '../base/errors.ts'
import {
  errorResult,
  type CallEffect,
  type CallPlan,
  type ToolArguments,
  type ToolLocation,
  type ToolResult,
} from '../messages/tool.ts'
import {
  isOutside,
  reachOf,
  resolvePath,
  type WorkspaceBounds,
  type WorkspacePath,
} from './workspace-path.ts'

export const pathProperty = { type: 'string', minLength: 1 } as const

/** An error becomes a result that the model reads. */
export async function orErrorResult(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run()
  } catch (error) {
    return errorResult(error instanceof OstlerError ? error.message : `The tool failed: ${messageOf(error)}`)
  }
}

interface FilePlan {
  readonly title: string
  readonly effect: CallEffect
  readonly content?: CallPlan['content']
  readonly lines?: readonly number[]
}

export function planFor(path: WorkspacePath, { title, effect, content, lines = [] }: FilePlan): CallPlan {
  return {
    title,
    effect,
    target: path.real,
    ...reachOf([path], effect),
    ...(isOutside(path, effect) && { outsideFolder: dirname(path.real) }),
    ...(content !== undefined && { content }),
    locations: locationsOf(path, lines),
  }
}

export function locationsOf({ path }: WorkspacePath, lines: readonly number[]): readonly ToolLocation[] {
  return lines.length === 0 ? [{ path }] : lines.map((line) => ({ path, line }))
}

/** True if a person is asked before the file is read. Nothing of it may be revealed before that. */
export function isGuarded({ isOutside, sensitivity }: WorkspacePath): boolean {
  return isOutside || sensitivity === 'secret'
}

/** Resolves the path of a call that may have been planned. A link may have changed since the plan was allowed: then nothing is done. */
export async function targetOf(
  args: ToolArguments,
  bounds: WorkspaceBounds,
  plan: Partial<CallPlan> | undefined,
): Promise<WorkspacePath> {
  const path = await resolvePath(String(args['path']), bounds)
  if (plan?.target !== undefined && plan.target !== path.real) {
    const reason = 'now leads to another file than when the call was allowed'
    throw new OstlerError('workspace.path_changed', `Nothing was done: ${path.shown} ${reason}. Call again.`)
  }
  return path
}

/** A file with such a text could not be read again. */
export function unwritableReason(text: string): string | undefined {
  if (text.includes('\0')) return 'it contains a NUL character, which no text file has'
  return text.isWellFormed() ? undefined : 'it contains half of a Unicode character'
}
