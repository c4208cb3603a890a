import { hashText } from '../base/hash-text.ts'
import { basename, dirname, join, relative } from 'node:path'
import type { CleanText } from '../base/clean-text.ts'
import { isInside } from '../base/is-inside.ts'
import { readTextFile } from './read-text-file.ts'

export interface InstructionFile {
  readonly path: string
  readonly text: string
  readonly isCut: boolean
  readonly hash: string
}

/** The first of these that a folder has. The others are for programs that do not read the first. */
const fileNames = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const

const fileBytesMax = 32 * 1024
const foldersMax = 64

interface InstructionSources {
  readonly folders: readonly string[]
  readonly inside: readonly string[]
  /** Limit on all texts together. The most specific come first. */
  readonly charsMax: number
  readonly clean: CleanText
}

export async function loadInstructions({
  folders,
  inside,
  charsMax,
  clean,
}: InstructionSources): Promise<readonly InstructionFile[]> {
  const found = await Promise.all(
    [...new Set(folders)].slice(-foldersMax).map((folder) => findIn(folder, inside, clean)),
  )
  let charsLeft = charsMax
  const fitting: InstructionFile[] = []
  for (const file of found.toReversed()) {
    if (file === undefined) continue
    const text = file.text.slice(0, charsLeft)
    charsLeft -= text.length
    fitting.unshift({ ...file, text, isCut: file.isCut || text.length < file.text.length })
  }
  return fitting
}

/** Without the root itself. The general ones come first. */
export function foldersBelow(roots: readonly string[], path: string): readonly string[] {
  const root = roots.find((each) => isInside(path, each))
  if (root === undefined) return []
  const folders: string[] = []
  for (let at = dirname(path); isInside(at, root) && at !== root; at = dirname(at)) folders.unshift(at)
  return folders
}

export function toInstructionText(files: readonly InstructionFile[], cwd: string): string {
  return files
    .map(
      (file) =>
        `<project-instructions path="${shownPath(file.path, cwd)}">\n${textOf(file)}\n</project-instructions>`,
    )
    .join('\n\n')
}

export function shownPath(path: string, cwd: string): string {
  return isInside(path, cwd) ? relative(cwd, path) : path
}

function textOf({ text, isCut, path }: InstructionFile): string {
  return isCut
    ? `${text.trim()}\n[The rest of ${basename(path)} is too long to show. Read the file if you need it.]`
    : text.trim()
}

async function findIn(
  folder: string,
  inside: readonly string[],
  clean: CleanText,
): Promise<InstructionFile | undefined> {
  for (const name of fileNames) {
    const path = join(folder, name)
    const file = await readTextFile(path, inside, fileBytesMax)
    const text = file === undefined ? '' : clean(file.text, file.isCut)
    if (file !== undefined && text.trim() !== '') return { path, text, isCut: file.isCut, hash: hashOf(text) }
  }
  return undefined
}

export function hashOf(text: string): string {
  return hashText(text).slice(0, 16)
}
