import { dirname } from 'node:path'
import { messageOf, OstlerError } from '../../base/errors.ts'
import { errorResult, type CallEffect, type CallPlan, type ToolArguments, type ToolLocation, type ToolResult } from '../../messages/tool.ts'
import { reachOf, resolvePath, type WorkspacePath } from '../workspace-path.ts'

export const pathProperty = { type: 'string', minLength: 1, description: 'Absolute, or relative to the working directory' } as const

/** Runs a tool. An error becomes a result that the model reads. */
export async function orErrorResult(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run()
  } catch (error) {
    return errorResult(error instanceof OstlerError ? error.message : `The tool failed: ${messageOf(error)}`)
  }
}

/** A plan for a call on one path. */
export function planFor(
  path: WorkspacePath,
  plan: { readonly title: string; readonly effect: CallEffect; readonly content?: CallPlan['content']; readonly lines?: readonly number[] },
): CallPlan {
  const { lines = [], ...rest } = plan
  const outsideFolder = path.isOutside && { outsideFolder: dirname(path.real) }
  return { ...rest, ...reachOf([path]), ...outsideFolder, target: path.real, locations: locationsOf(path, lines) }
}

export function locationsOf({ path }: WorkspacePath, lines: readonly number[]): readonly ToolLocation[] {
  return lines.length === 0 ? [{ path }] : lines.map((line) => ({ path, line }))
}

/** Resolves the path of a call that may have been planned. A link may have changed since the plan was allowed: then nothing is done. */
export async function targetOf(args: ToolArguments, roots: readonly string[], plan: CallPlan | undefined): Promise<WorkspacePath> {
  const path = await resolvePath(String(args['path']), roots)
  if (plan !== undefined && plan.target !== path.real) {
    throw new OstlerError(
      'workspace.path_changed',
      `Nothing was done: ${path.shown} now leads to another file than when the call was allowed. Call again.`,
    )
  }
  return path
}
