import { join } from 'node:path'
import { OstlerError } from '../../base/errors.ts'
import { stripHiddenLine } from '../../base/strip-hidden.ts'
import { objectSchema, textResult } from '../../messages/tool.ts'
import type { CallPlan, Tool, ToolArguments, ToolCallContext, ToolResult } from '../../messages/tool.ts'
import { orErrorResult } from '../file-tool.ts'
import { checkGlob, planOf, searchMsMax, searchPlace, type SearchPlace } from './search-files.ts'
import type { WorkspaceBounds } from '../workspace-path.ts'
import { toLine } from './to-found-text.ts'
import { counted } from '../../base/quantities.ts'

const filesMax = 200

const inputSchema = objectSchema(['pattern'], {
  pattern: { type: 'string', minLength: 1 },
  path: { type: 'string' },
})

export function findFilesTool(options: WorkspaceBounds): Tool {
  return {
    ref: { server: null, tool: 'find_files' },
    title: 'Find files',
    description:
      'Finds files by a glob, newest first: *.ts at any depth, src/**/*.{js,ts} below src. Leaves out what Git ignores.',
    kind: 'search',
    inputSchema,
    annotations: { readOnlyHint: true },
    plan: (args) => planFind(args, options),
    execute: (args, context) => orErrorResult(() => find(args, options, context)),
  }
}

async function planFind(args: ToolArguments, bounds: WorkspaceBounds): Promise<CallPlan> {
  const pattern = String(args['pattern'])
  const place = await findPlace(args, bounds)
  const { path } = place
  await checkGlob(pattern)
  const where = path.shown === '.' ? '' : ` in ${stripHiddenLine(path.shown)}`
  return { title: `Find ${stripHiddenLine(pattern)}${where}`, effect: 'read', ...planOf(place) }
}

async function find(
  args: ToolArguments,
  bounds: WorkspaceBounds,
  { signal, plan }: ToolCallContext,
): Promise<ToolResult> {
  const { path, folder } = await findPlace(args, bounds, plan)
  const { findPaths } = await import('./ripgrep.ts')
  const job = { folder, glob: String(args['pattern']), filesMax, msMax: searchMsMax }
  const { paths, total, stoppedBy, unreadable } = await findPaths(job, signal)
  const remarks = [
    total === 0 ? 'No files. Ignored files were left out.' : `${counted(total, 'file')}, newest first`,
    ...(total > paths.length
      ? [`The ${total - paths.length} oldest are not shown. Narrow the pattern or the path.`]
      : []),
    ...(stoppedBy === 'time' ? ['The search was stopped, because it took too long. Narrow it.'] : []),
    ...(unreadable > 0 ? [`${unreadable} directories could not be read.`] : []),
  ]
  const shown = paths.map((each) => toLine(join(path.shown, each)))
  return textResult([...shown, ...remarks.map((remark) => `[${remark}]`)].join('\n'))
}

async function findPlace(
  { path = '.' }: ToolArguments,
  bounds: WorkspaceBounds,
  plan?: CallPlan,
): Promise<SearchPlace> {
  const place = await searchPlace(path, bounds, plan)
  if (place.file === undefined) return place
  throw new OstlerError('workspace.bad_path', `${JSON.stringify(path)} is a file. Name a directory.`)
}
