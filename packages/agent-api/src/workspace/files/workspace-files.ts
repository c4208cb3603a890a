import { messageOf, OstlerError } from '../../base/errors.ts'
import { formatBytes } from '../../base/quantities.ts'
import { kindBytes, kindOf } from '../disk/file-kind.ts'
import { openFile, readStart, type OpenFile } from '../disk/open-file.ts'
import {
  byteOrderMark,
  decodeText,
  encodeText,
  formOf,
  plainForm,
  type TextForm,
} from '../disk/text-encoding.ts'
import { checkWritable, createDirectories, writeAtomically } from '../disk/write-atomically.ts'
import type { EditorWorkspace, TextFile, WorkspaceFiles } from '../workspace.ts'
import type { WorkspacePath } from '../workspace-path.ts'
import { endingsOf, toLf } from './text-lines.ts'
import { dirname } from 'node:path'

/** A larger file is read in parts, from the disk, and not changed: a longer text would block the event loop. */
export const wholeFileBytesMax = 2 * 1024 * 1024

export function createWorkspaceFiles({
  readText,
  writeText,
}: Pick<EditorWorkspace, 'readText' | 'writeText'>): WorkspaceFiles {
  /** The editor knows only files of the session's directories, and encodes them as UTF-8. */
  const isEditors = ({ isOutside }: WorkspacePath, { encoding }: TextForm) =>
    !isOutside && encoding === 'utf-8'

  async function load(path: WorkspacePath, signal: AbortSignal): Promise<TextFile | undefined> {
    const disk = await loadFromDisk(path)
    if (readText === undefined || !isEditors(path, disk?.form ?? plainForm)) return disk
    try {
      return fromEditor(await readText(path.path, signal), disk)
    } catch {
      signal.throwIfAborted()
      // An editor may not know a file that exists, or know a new one that does not exist yet.
      return disk
    }
  }

  return {
    load,
    async loadToChange(path, signal) {
      if (readText === undefined) return loadFromDisk(path)
      if (writeText !== undefined) return load(path, signal)
      const [disk, shown] = [await loadFromDisk(path), await load(path, signal)]
      if (disk === undefined || shown === undefined || isSameText(disk.text, shown.text)) return disk
      throw new OstlerError(
        'workspace.unsaved',
        `${path.shown} has unsaved changes in the editor. Ask the person to save it, then read it again.`,
      )
    },
    async save(path, file, signal) {
      if (writeText === undefined || !isEditors(path, file.form)) {
        await writeAtomically(path.real, encodeText(file.text, file.form), { shown: path.shown, signal })
        return file
      }
      await checkWritable(path.real, path.shown)
      await using created = await createDirectories(dirname(path.real))
      signal.throwIfAborted()
      try {
        await writeText(path.path, (file.form.hasBom ? byteOrderMark : '') + file.text, signal)
      } catch (error) {
        signal.throwIfAborted()
        throw new OstlerError(
          'workspace.editor',
          `${path.shown} cannot be written. The editor reported: ${messageOf(error)}`,
          {
            cause: error,
          },
        )
      }
      created.keep()
      return (await load(path, signal).catch(() => undefined)) ?? file
    },
  }
}

function isSameText(one: string, other: string): boolean {
  return one === other || toLf(one) === toLf(other)
}

function fromEditor(text: string, disk: TextFile | undefined): TextFile {
  const hasBom = text.startsWith(byteOrderMark)
  const known = withEndingsOfDisk(hasBom ? text.slice(1) : text, disk?.text)
  return { text: known, form: { encoding: 'utf-8', hasBom }, endings: endingsOf(disk?.text ?? known) }
}

/**
 * Some editors turn CRLF into LF or leave out the last line end, and save a text as they get it. So the text
 * gets the line endings of the file. An editor that restores them itself does so either way.
 */
function withEndingsOfDisk(text: string, disk: string | undefined): string {
  if (disk === undefined || text === '') return text
  const isCrlf = disk.includes('\r\n') && !/(?<!\r)\n/.test(disk)
  const ended = isCrlf && !text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
  return disk.endsWith('\n') && !ended.endsWith('\n') ? `${ended}${isCrlf ? '\r\n' : '\n'}` : ended
}

async function loadFromDisk({ path, shown }: WorkspacePath): Promise<TextFile | undefined> {
  await using file = await openFile(path, shown)
  if (file === undefined) return undefined
  if (file.stats.size > wholeFileBytesMax) {
    const limit = `files up to ${formatBytes(wholeFileBytesMax)} can be read whole and changed`
    throw new OstlerError(
      'workspace.too_large',
      `${shown} has ${formatBytes(file.stats.size)}; ${limit}. Use run_command for it.`,
    )
  }
  return decodeFile(await readWhole(file), shown)
}

/** Some files of the system, such as those in /proc, have no size but content. */
const bytesWithoutSize = 64 * 1024

/** A file may grow while it is read. Only the initial content is read. */
function readWhole(file: OpenFile): Promise<Buffer> {
  return readStart(file, file.stats.size === 0 ? bytesWithoutSize : file.stats.size)
}

function decodeFile(bytes: Buffer, shown: string): TextFile {
  const kind = kindOf(bytes.subarray(0, kindBytes))
  if (kind.type === 'binary') throw notText(shown, kind.description, bytes.length)
  if (kind.type === 'media') throw notText(shown, kind.mimeType, bytes.length)
  const form = formOf(bytes)
  const text = decodeText(bytes, form)
  if (text === undefined) throw notDecodable(shown, form)
  return { text, form }
}

export function notText(shown: string, description: string, bytes: number): OstlerError {
  return new OstlerError(
    'workspace.not_text',
    `${shown} is ${description} of ${formatBytes(bytes)}, not text. Use run_command to work with it.`,
  )
}

export function notDecodable(shown: string, { encoding }: TextForm): OstlerError {
  const reason = `it is not valid ${encoding.toUpperCase()}`
  const advice =
    'Ostler reads UTF-8, and UTF-16 with a byte order mark. To convert it, run a command such as iconv.'
  return new OstlerError('workspace.encoding', `${shown} cannot be read as text: ${reason}. ${advice}`)
}

/** For the model, if the editor formatted the file while saving it. */
export function changedByEditor(written: string, after: TextFile): readonly string[] {
  if (isSameText(written, after.text)) return []
  return [
    'The editor changed the file further when it saved it, for example by formatting it. Read it again before the next edit.',
  ]
}
