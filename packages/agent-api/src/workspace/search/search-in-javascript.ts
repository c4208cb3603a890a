import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { RE2JS } from 're2js'
import { compileGlob } from './glob.ts'
import {
  badPattern,
  compareLines,
  fileBytesMax,
  isLeftOut,
  lineCharsMax,
  type FindFound,
  type FindJob,
  type FoundLine,
  type SearchFound,
  type SearchJob,
} from './search-job.ts'
import { walkFiles, type WalkEnd } from './walk-files.ts'

/** Index of the first match in a line, or -1. */
type LineMatch = (line: string) => number

const readBytes = 1024 * 1024
/** A longer line is searched in parts. */
const lineBytesMax = 1024 * 1024
/** A NUL near the beginning means that a file is not text. */
const binaryLookBytes = 64 * 1024
const linesPerLook = 1_000

/** Searches without ripgrep, in linear time. Blocks its thread, so it has its own. */
export function searchInJavascript(job: SearchJob): SearchFound {
  const deadline = performance.now() + job.msMax
  const match = compileMatch(job)
  const isWanted = job.glob === undefined ? () => true : compileGlob(job.glob)
  const end: WalkEnd = { unreadable: 0 }
  const lines: FoundLine[] = []
  let matchesLeft = job.matchesMax
  let secretFiles = 0
  let stoppedBy: SearchFound['stoppedBy']
  for (const path of job.file === undefined ? walkFiles(job.folder, end) : [job.file]) {
    if (performance.now() > deadline) stoppedBy = 'time'
    if (stoppedBy !== undefined) break
    if (!isWanted(path)) continue
    const isSecret = isLeftOut(job, path)
    const found = searchFile({ job, path, match, matchesMax: isSecret ? 1 : matchesLeft, deadline })
    if (found === undefined) end.unreadable++
    else if (isSecret) secretFiles += found.matches
    else {
      lines.push(...found.lines)
      matchesLeft -= found.matches
      stoppedBy = found.stoppedBy
    }
  }
  return { lines: lines.toSorted(compareLines), stoppedBy, unreadable: end.unreadable, secretFiles }
}

export function findInJavascript({ folder, glob, filesMax, msMax }: FindJob): FindFound {
  const deadline = performance.now() + msMax
  const isWanted = compileGlob(glob)
  const end: WalkEnd = { unreadable: 0 }
  const found: { readonly path: string; readonly changed: number }[] = []
  let stoppedBy: FindFound['stoppedBy']
  for (const path of walkFiles(folder, end)) {
    if (performance.now() > deadline) {
      stoppedBy = 'time'
      break
    }
    if (isWanted(path)) found.push({ path, changed: statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0 })
  }
  const newest = found.toSorted((one, other) => other.changed - one.changed).slice(0, filesMax)
  return { paths: newest.map(({ path }) => path), total: found.length, stoppedBy, unreadable: end.unreadable }
}

function compileMatch({ pattern, isLiteral, ignoresCase }: SearchJob): LineMatch {
  if (isLiteral && !ignoresCase) return (line) => line.indexOf(pattern)
  try {
    const flags = ignoresCase ? RE2JS.CASE_INSENSITIVE : 0
    const compiled = RE2JS.compile(isLiteral ? RE2JS.quote(pattern) : pattern, flags)
    return (line) => {
      const matcher = compiled.matcher(line)
      return matcher.find() ? matcher.start() : -1
    }
  } catch (error) {
    throw badPattern(error instanceof Error ? error.message : String(error))
  }
}

interface FileSearch {
  readonly job: SearchJob
  readonly path: string
  readonly match: LineMatch
  readonly matchesMax: number
  readonly deadline: number
}

interface FileFound {
  readonly lines: readonly FoundLine[]
  readonly matches: number
  readonly stoppedBy: SearchFound['stoppedBy']
}

/** Undefined if the file cannot be read. */
function searchFile({ job, path, match, matchesMax, deadline }: FileSearch): FileFound | undefined {
  const found: FoundLine[] = []
  let before: FoundLine[] = []
  let after = 0
  let matches = 0
  let line = 0
  let stoppedBy: SearchFound['stoppedBy']
  try {
    for (const text of linesOf(join(job.folder, path))) {
      line++
      const at = matches === matchesMax ? -1 : match(text)
      const shown: FoundLine = {
        path,
        line,
        column: at === -1 ? undefined : Buffer.byteLength(text.slice(0, at)) + 1,
        text: text.slice(0, lineCharsMax),
      }
      if (at !== -1) {
        found.push(...before, shown)
        before = []
        after = job.context
        matches++
      } else if (after > 0) {
        found.push(shown)
        after--
      } else if (job.context > 0) before = [...before, shown].slice(-job.context)
      if (matches === matchesMax && after === 0) stoppedBy = 'limit'
      else if (line % linesPerLook === 0 && performance.now() > deadline) stoppedBy = 'time'
      if (stoppedBy !== undefined) break
    }
  } catch {
    return undefined
  }
  return { lines: found, matches, stoppedBy }
}

/** The lines of a text file, without line ends. Nothing of a binary or very large file, or of anything but a file. */
function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r')
  try {
    const found = fstatSync(file)
    if (!found.isFile() || found.size > fileBytesMax) return
    const buffer = Buffer.alloc(Math.min(readBytes, found.size + 1))
    let rest = Buffer.alloc(0)
    for (let position = 0; ;) {
      const length = readSync(file, buffer, 0, buffer.length, position)
      let piece = buffer.subarray(0, length)
      if (position === 0) {
        const isUtf16 = length >= 2 && ((piece[0] === 0xff && piece[1] === 0xfe) || (piece[0] === 0xfe && piece[1] === 0xff))
        if (isUtf16) return yield* utf16Lines(file, found.size, piece[0] === 0xff)
        if (piece.subarray(0, binaryLookBytes).includes(0)) return
        if (piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf) piece = piece.subarray(3)
      } else if (piece.includes(0)) return
      position += length
      let start = 0
      for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, start)) {
        const line = rest.length === 0 ? piece.subarray(start, end) : Buffer.concat([rest, piece.subarray(start, end)])
        rest = Buffer.alloc(0)
        start = end + 1
        yield line.toString('utf8').replace(/\r$/, '')
      }
      rest = Buffer.concat([rest, piece.subarray(start)])
      const isEnd = length === 0
      if (rest.length > lineBytesMax || (isEnd && rest.length > 0)) {
        yield rest.toString('utf8').replace(/\r$/, '')
        rest = Buffer.alloc(0)
      }
      if (isEnd) return
    }
  } finally {
    closeSync(file)
  }
}

function* utf16Lines(file: number, size: number, isLittleEndian: boolean): Generator<string> {
  const bytes = Buffer.alloc(size)
  const length = readSync(file, bytes, 0, size, 0)
  const text = bytes.subarray(2, length - (length % 2))
  if (!isLittleEndian) text.swap16()
  for (const line of text.toString('utf16le').replace(/\n$/, '').split('\n')) yield line.replace(/\r$/, '')
}
