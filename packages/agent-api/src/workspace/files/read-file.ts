import { formatBytes } from '../../base/quantities.ts'
import { text as textBlock, type ContentBlock } from '../../messages/content.ts'
import { OstlerError } from '../../base/errors.ts'
import { objectSchema, type Tool, type ToolArguments, type ToolResult } from '../../messages/tool.ts'
import { kindBytes, kindOf } from '../disk/file-kind.ts'
import { openFile, readStart, type OpenFile } from '../disk/open-file.ts'
import { resolvePath, type WorkspacePath } from '../workspace-path.ts'
import type { FileAccess } from './file-access.ts'
import { locationsOf, orErrorResult, pathProperty, planFor, targetOf } from '../file-tool.ts'
import { createLineReader, linesOfFile, type ReadLines } from './read-lines.ts'
import { notText, wholeFileBytesMax } from './workspace-files.ts'
import { pathToFileURL } from 'node:url'

/** So that a huge file does not fill the conversation. */
const linesDefault = 2_000

/** A larger image or document would be left out of the conversation. */
const mediaBytesMax = 5 * 1024 * 1024

const inputSchema = objectSchema(['path'], {
  path: pathProperty,
  line: { type: 'integer', minimum: 1 },
  limit: { type: 'integer', minimum: 1 },
})

export function readFileTool(access: FileAccess): Tool {
  return {
    ref: { server: null, tool: 'read_file' },
    title: 'Read file',
    description:
      'Reads a text file, image or PDF. Lines begin with their number and a tab, which are not in the file. ' +
      `Returns ${linesDefault} lines, or limit, from line on.`,
    kind: 'read',
    inputSchema,
    annotations: { readOnlyHint: true },

    async plan(args) {
      const path = await resolvePath(String(args['path']), access)
      const { line, limit } = rangeOf(args)
      const range = line === 1 && args['limit'] === undefined ? '' : ` (lines ${line}-${line + limit - 1})`
      return planFor(path, {
        title: `Read ${path.shown}${range}`,
        effect: 'read',
        lines: line === 1 ? [] : [line],
      })
    },

    execute: (args, { signal, plan }) =>
      orErrorResult(async () => {
        const path = await targetOf(args, access, plan)
        await using file = await openFile(path.path, path.shown)
        const media = file && (await readMedia(file, path))
        if (media !== undefined) return { isError: false, content: media, locations: locationsOf(path, []) }
        // Without `await`, the file would be closed before it is read.
        return await readText(access, { path, file, ...rangeOf(args), signal })
      }),
  }
}

function rangeOf(args: ToolArguments): { readonly line: number; readonly limit: number } {
  const { line, limit } = args
  return {
    line: typeof line === 'number' ? line : 1,
    limit: typeof limit === 'number' ? limit : linesDefault,
  }
}

/** An image or a document. Undefined for text. */
async function readMedia(
  file: OpenFile,
  { path, shown }: WorkspacePath,
): Promise<readonly ContentBlock[] | undefined> {
  const kind = kindOf(await readStart(file, Math.min(kindBytes, file.stats.size)))
  const { size } = file.stats
  if (kind.type === 'text') return undefined
  if (kind.type === 'binary') throw notText(shown, kind.description, size)
  const { mimeType } = kind
  if (size > mediaBytesMax) {
    throw new OstlerError(
      'workspace.too_large',
      `${shown} is ${mimeType} of ${formatBytes(size)}; it is shown up to ${formatBytes(mediaBytesMax)}.`,
    )
  }
  const data = (await readStart(file, size)).toString('base64')
  const description = textBlock(`${shown} (${mimeType}, ${formatBytes(size)}):`)
  if (mimeType.startsWith('image/')) return [description, { type: 'image', data, mimeType }]
  return [
    description,
    { type: 'resource', resource: { uri: pathToFileURL(path).href, mimeType, blob: data } },
  ]
}

interface Reading {
  readonly path: WorkspacePath
  readonly file: OpenFile | undefined
  readonly line: number
  readonly limit: number
  readonly signal: AbortSignal
}

async function readText(
  access: FileAccess,
  { path, file, line, limit, signal }: Reading,
): Promise<ToolResult> {
  const reader = createLineReader(line, limit, access.cleaner.clean)
  if (file !== undefined && file.stats.size > wholeFileBytesMax)
    await linesOfFile(file, path.shown, reader, signal)
  else {
    const whole = await access.files.load(path, signal)
    // This also notes a missing file, which the model may then create again.
    access.saw(path, whole)
    if (whole === undefined)
      throw new OstlerError(
        'workspace.missing',
        `There is no file ${path.shown}. list_directory and find_files show what there is.`,
      )
    reader.push(whole.text)
    reader.end()
  }
  return toResult(path, line, reader.read())
}

function toResult(path: WorkspacePath, line: number, { lines, total, hasMore }: ReadLines): ToolResult {
  if (total === 0)
    return {
      isError: false,
      content: [textBlock(`[${path.shown} is empty]`)],
      locations: locationsOf(path, []),
    }
  if (lines.length === 0)
    throw new OstlerError(
      'workspace.past_end',
      `${path.shown} has ${total} lines: line ${line} is after its end.`,
    )
  const last = line + lines.length - 1
  const isAll = line === 1 && !hasMore
  const note = isAll
    ? ''
    : `\n[lines ${line}-${last} of ${total}${hasMore ? `; go on with "line": ${last + 1}` : ''}]`
  const numbered = lines.map((content, index) => `${line + index}\t${content}`).join('\n')
  return {
    isError: false,
    content: [textBlock(numbered + note)],
    locations: locationsOf(path, line === 1 ? [] : [line]),
  }
}
