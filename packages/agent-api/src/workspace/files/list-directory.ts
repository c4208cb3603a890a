import { formatBytes } from '../../base/quantities.ts'
import { lstat, opendir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { OstlerError } from '../../base/errors.ts'
import { orAborted } from '../../base/or-aborted.ts'
import { objectSchema, textResult, type Tool, type ToolArguments } from '../../messages/tool.ts'
import { fileError } from '../disk/file-error.ts'
import type { IgnoreLevel } from '../search/ignore-levels.ts'
import { type WorkspaceBounds, resolvePath, type WorkspacePath } from '../workspace-path.ts'
import { orErrorResult, pathProperty, planFor, targetOf } from '../file-tool.ts'

const depthDefault = 2
const depthMax = 10
const entriesMax = 1_000
/** In a folder below the listed one, so that a long folder does not crowd out the others. */
const folderEntriesMax = 100
/** Entries of one folder that are read and counted. */
const readEntriesMax = 20_000

const inputSchema = objectSchema([], {
  path: pathProperty,
  depth: { type: 'integer', minimum: 1, maximum: depthMax },
})

export function listDirectoryTool(bounds: WorkspaceBounds): Tool {
  return {
    ref: { server: null, tool: 'list_directory' },
    title: 'List directory',
    description: `Shows a directory as a tree, ${depthDefault} levels deep unless depth is set.`,
    kind: 'read',
    inputSchema,
    annotations: { readOnlyHint: true },

    async plan(args) {
      const path = await resolvePath(toPath(args), bounds)
      const plan = planFor(path, { title: `List ${path.shown}`, effect: 'read' })
      return path.isOutside ? { ...plan, outsideFolder: path.real } : plan
    },

    execute: (args, { signal, plan }) =>
      orErrorResult(async () => {
        const path = await targetOf({ path: toPath(args) }, bounds, plan)
        const depth = typeof args['depth'] === 'number' ? args['depth'] : depthDefault
        return textResult(await listTree(path, depth, signal))
      }),
  }
}

function toPath({ path }: ToolArguments): string {
  return typeof path === 'string' ? path : '.'
}

interface Folder {
  readonly path: string
  readonly level: IgnoreLevel
  readonly entries: Entry[]
  /** Says how many entries are not shown. */
  more?: string
}

interface Entry {
  readonly name: string
  readonly note: string
  /** If it is a folder that is listed. */
  readonly folder?: Folder
}

/** Reads level by level, so that a limit leaves out the deepest entries first. */
async function listTree(path: WorkspacePath, depth: number, signal: AbortSignal): Promise<string> {
  const { levelsAbove } = await import('../search/ignore-levels.ts')
  const root: Folder = { path: path.real, level: await levelsAbove(path.real), entries: [] }
  let left = entriesMax
  let level = [root]
  for (let at = 0; at < depth && level.length > 0; at++) {
    const below: Folder[] = []
    for (const folder of level) {
      signal.throwIfAborted()
      const isLast = at + 1 === depth
      const limit = at === 0 ? left : Math.min(left, folderEntriesMax)
      const added = await fillFolder(folder, { limit, isLast, signal }).catch((error: unknown) => {
        if (folder === root) throw fileError(path.shown, 'listed', notADirectory(error, path))
        folder.more = '[cannot be read]'
        return []
      })
      left -= folder.entries.length
      below.push(...added)
    }
    level = below
  }
  const lines = toLines(root, '')
  const cut =
    left === 0 ? [`[at most ${entriesMax} entries are listed: name a directory, or use find_files]`] : []
  return [`${path.shown}/`, ...(lines.length === 0 ? ['[empty]'] : lines), ...cut].join('\n')
}

function notADirectory(error: unknown, { shown }: WorkspacePath): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new OstlerError('workspace.missing', `There is no directory ${shown}.`)
  return code === 'ENOTDIR'
    ? new OstlerError('workspace.not_a_directory', `${shown} is a file. Use read_file to read it.`)
    : error
}

interface Filling {
  readonly limit: number
  /** True if the folders in it are not listed. */
  readonly isLast: boolean
  readonly signal: AbortSignal
}

/** Returns the folders among the entries that are to be listed. */
async function fillFolder(folder: Folder, { limit, isLast, signal }: Filling): Promise<Folder[]> {
  const { names, isCut } = await readNames(folder.path, signal)
  const sorted = names.toSorted(
    (one, other) => Number(other.isFolder) - Number(one.isFolder) || compare(one.name, other.name),
  )
  const { isIgnored, readLevel } = await import('../search/ignore-levels.ts')
  const listed: Folder[] = []
  for (const { name, isFolder } of sorted.slice(0, limit)) {
    const path = join(folder.path, name)
    if (!isFolder) {
      folder.entries.push({ name, note: await describeFile(path) })
      continue
    }
    const isFolded = name === '.git' || name === 'node_modules' || isIgnored(folder.level, path, true)
    if (isFolded || isLast) {
      const note = await countEntries(path, signal)
      folder.entries.push({ name: `${name}/`, note: isFolded ? `  [not listed: ${note}]` : `  [${note}]` })
      continue
    }
    const inner: Folder = { path, level: await readLevel(path, folder.level), entries: [] }
    folder.entries.push({ name: `${name}/`, note: '', folder: inner })
    listed.push(inner)
  }
  const more = names.length - folder.entries.length
  if (more > 0) folder.more = `[${more}${isCut ? ' or more' : ''} more ${more === 1 ? 'entry' : 'entries'}]`
  return listed
}

/** Reads a folder in small pieces: it may have millions of entries. */
async function readNames(path: string, signal: AbortSignal) {
  const names: { readonly name: string; readonly isFolder: boolean }[] = []
  for await (const entry of await opendir(path, { bufferSize: 256 })) {
    signal.throwIfAborted()
    names.push({ name: entry.name, isFolder: entry.isDirectory() })
    if (names.length === readEntriesMax) return { names, isCut: true }
  }
  return { names, isCut: false }
}

async function countEntries(path: string, signal: AbortSignal): Promise<string> {
  const read = await orAborted(
    readNames(path, signal).catch(() => undefined),
    signal,
    undefined,
  )
  if (read === undefined) return 'cannot be read'
  const { length } = read.names
  return `${length}${read.isCut ? ' or more' : ''} ${length === 1 ? 'entry' : 'entries'}`
}

/** Links are named, not followed. */
async function describeFile(path: string): Promise<string> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats === undefined) return ''
  if (stats.isSymbolicLink()) return ` -> ${await readlink(path).catch(() => '?')}`
  return stats.isFile() ? `  ${formatBytes(stats.size)}` : '  [special file]'
}

function toLines(folder: Folder, indent: string): string[] {
  const inner = `${indent}  `
  const lines = folder.entries.flatMap(({ name, note, folder: below }) => [
    `${inner}${oneLine(name)}${oneLine(note)}`,
    ...(below === undefined ? [] : toLines(below, inner)),
  ])
  return folder.more === undefined ? lines : [...lines, `${inner}${folder.more}`]
}

/** A name may contain line breaks, which must not look like further entries. */
function oneLine(name: string): string {
  return /[\n\r]/.test(name) ? JSON.stringify(name) : name
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
