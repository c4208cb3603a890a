import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CleanText } from '../../base/clean-text.ts'
import { OstlerError, toSystemReason } from '../../base/errors.ts'
import { stripHiddenLine } from '../../base/strip-hidden.ts'
import {
  objectSchema,
  textResult,
  type CallPlan,
  type Tool,
  type ToolArguments,
  type ToolCallContext,
  type ToolResult,
} from '../../messages/tool.ts'
import { orErrorResult } from '../file-tool.ts'
import { isSecretPath } from '../../base/sensitive-path.ts'
import {
  reachOf,
  realFiles,
  resolvePath,
  type WorkspaceBounds,
  type WorkspacePath,
} from '../workspace-path.ts'
import type { SearchJob } from './ripgrep.ts'
import { toFoundText } from './to-found-text.ts'

interface SearchFilesOptions extends WorkspaceBounds {
  readonly clean: CleanText
}

const matchesDefault = 100
const matchesMax = 1_000
const contextMax = 10
const patternCharsMax = 1_000
/** Shorter than the timeout of a local tool, so that the results so far are not lost. */
export const searchMsMax = 20_000

const inputSchema = objectSchema(['pattern'], {
  pattern: { type: 'string', minLength: 1, maxLength: patternCharsMax },
  path: { type: 'string' },
  glob: { type: 'string', description: 'Such as *.ts' },
  literal: { type: 'boolean' },
  ignore_case: { type: 'boolean' },
  context: { type: 'integer', minimum: 0, maximum: contextMax },
  limit: { type: 'integer', minimum: 1, maximum: matchesMax },
})

export function searchFilesTool(options: SearchFilesOptions): Tool {
  return {
    ref: { server: null, tool: 'search_files' },
    title: 'Search files',
    description:
      'Searches a directory or file for a regular expression, line by line. No look-around or back-references. ' +
      'Leaves out binary files and what Git ignores.',
    kind: 'search',
    inputSchema,
    annotations: { readOnlyHint: true },
    plan: (args) => planSearch(args, options),
    execute: (args, context) => orErrorResult(() => search(args, options, context)),
  }
}

async function planSearch(args: ToolArguments, bounds: WorkspaceBounds): Promise<CallPlan> {
  const place = await searchPlace(args['path'], bounds)
  checkPattern(String(args['pattern']))
  if (typeof args['glob'] === 'string') await checkGlob(args['glob'])
  const where = place.path.shown === '.' ? '' : ` in ${stripHiddenLine(place.path.shown)}`
  return { title: `Search ${JSON.stringify(args['pattern'])}${where}`, effect: 'read', ...planOf(place) }
}

/** Throws `search.bad_glob`. The matcher is loaded when it is needed. */
export async function checkGlob(glob: string): Promise<void> {
  const { compileGlob } = await import('./glob.ts')
  compileGlob(glob)
}

export function planOf({
  path,
  folder,
}: SearchPlace): Pick<CallPlan, 'target' | 'outside' | 'outsideFolder' | 'sensitive'> {
  return {
    target: path.real,
    ...(path.isOutside && { outsideFolder: folder }),
    ...reachOf([path], 'read'),
  }
}

async function search(
  args: ToolArguments,
  { clean, ...bounds }: SearchFilesOptions,
  { signal, plan }: ToolCallContext,
): Promise<ToolResult> {
  const { path, folder, file, includesSecrets } = await searchPlace(args['path'], bounds, plan)
  const pattern = String(args['pattern'])
  checkPattern(pattern)
  const job: SearchJob = {
    folder,
    file,
    pattern,
    isLiteral: args['literal'] === true,
    ignoresCase: args['ignore_case'] === true,
    context: Number(args['context'] ?? 0),
    glob: typeof args['glob'] === 'string' ? args['glob'] : undefined,
    matchesMax: Number(args['limit'] ?? matchesDefault),
    includesSecrets,
    ownFiles: await realFiles(bounds.ownFiles),
    msMax: searchMsMax,
  }
  const { searchText } = await import('./ripgrep.ts')
  const found = await searchText(job, signal)
  const prefix = file !== undefined ? dirname(path.shown) : path.shown
  return textResult(toFoundText(found, job, (relative) => join(prefix, relative), clean))
}

function checkPattern(pattern: string): void {
  const problem = pattern.includes('\0')
    ? 'a NUL character'
    : /[\r\n]/.test(pattern)
      ? 'a line break, but the search goes line by line'
      : ''
  if (problem !== '') throw new OstlerError('search.bad_pattern', `The pattern contains ${problem}.`)
}

export interface SearchPlace extends Pick<SearchJob, 'folder' | 'file' | 'includesSecrets'> {
  readonly path: WorkspacePath
}

/** Throws `workspace.bad_path`. Files with secrets are searched only if the path names them: then the person has been asked. */
export async function searchPlace(
  named: unknown,
  bounds: WorkspaceBounds,
  plan?: CallPlan,
): Promise<SearchPlace> {
  const resolved = await resolvePath(String(named ?? '.'), bounds)
  if (plan !== undefined && plan.target !== resolved.real)
    throw new OstlerError(
      'workspace.path_changed',
      `Nothing was searched: ${resolved.shown} leads to another place than when the call was allowed.`,
    )
  const found = await stat(resolved.real).catch((error: unknown) => toSystemReason(error))
  const problem =
    typeof found === 'string'
      ? found
      : found.isDirectory() || found.isFile()
        ? undefined
        : 'it is not a file or directory'
  if (problem !== undefined || typeof found === 'string')
    throw new OstlerError('workspace.bad_path', `${JSON.stringify(named)} cannot be searched: ${problem}.`)
  if (found.isFile())
    return {
      path: resolved,
      folder: dirname(resolved.real),
      file: basename(resolved.real),
      includesSecrets: isSecret(resolved),
    }
  const sensitivity = isSecretPath(join(resolved.real, 'any')) ? 'secret' : resolved.sensitivity
  const path = { ...resolved, sensitivity }
  return { path, folder: resolved.real, file: undefined, includesSecrets: isSecret(path) }
}

function isSecret({ sensitivity }: WorkspacePath): boolean {
  return sensitivity === 'secret'
}
