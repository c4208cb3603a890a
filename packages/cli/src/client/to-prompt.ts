import { formatBytes } from '@ostler/agent-api/internal'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ContentBlock } from '@ostler/acp-server'
import { OstlerError } from '@ostler/agent-api'
import { toSafeLine } from '../terminal/safe-text.ts'

const imageTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
}

/** Vendors accept images up to about this size. */
const imageBytesMax = 5 * 1024 * 1024
const filesMax = 20

export interface TypedPlace {
  readonly cwd: string
  readonly home: string | undefined
}

/**
 * Turns typed text into a prompt. Paths of images attach the images, and `@path` attaches a link to a file. If a person drops a file on the
 * terminal, the terminal types its path with quotes or backslashes.
 */
export function toPrompt(text: string, place: TypedPlace): ContentBlock[] {
  const found = new Map<string, ContentBlock>()
  for (const word of wordsOf(text)) {
    const path = pathOf(word, place)
    if (path === undefined || found.has(path) || found.size >= filesMax) continue
    const block = toBlock(path, word.startsWith('@'))
    if (block !== undefined) found.set(path, block)
  }
  return [{ type: 'text', text }, ...found.values()]
}

/**
 * The files that the text tries to attach with `@path`, but that do not exist. Words such as `@types/node` do
 * not count.
 */
export function missingFiles(text: string, place: TypedPlace): readonly string[] {
  const named = wordsOf(text).filter((word) => /^@["']?(?:[~.]*\/|[^:]*\.\w+["']?$)/.test(word))
  return named.filter((word) => !existsSync(pathOf(word, place) ?? '')).map((word) => word.slice(1))
}

export function missingText(files: readonly string[]): string {
  return `No such file, so not attached: ${files.map(toSafeLine).join(', ')}`
}

function wordsOf(text: string): string[] {
  const words = [...text.matchAll(/@?(?:"[^"\n]+"|'[^'\n]+'|(?:\\.|[^\s\\])+)/g)]
  // A comma after a mentioned file belongs to the sentence.
  return words.map(([word]) => word.replace(/(?<=^@.*\w)[.,;:!?)]+$/, ''))
}

function pathOf(word: string, { cwd, home }: TypedPlace): string | undefined {
  const bare = word.replace(/^@/, '')
  const unquoted = /^(["']).*\1$/s.test(bare) ? bare.slice(1, -1) : bare.replaceAll(/\\(.)/g, '$1')
  if (unquoted === '' || unquoted.includes('\0')) return undefined
  try {
    if (unquoted.startsWith('file://')) return fileURLToPath(unquoted)
  } catch {
    return undefined
  }
  return unquoted.startsWith('~/') && home !== undefined
    ? resolve(home, unquoted.slice(2))
    : resolve(cwd, unquoted)
}

function toBlock(path: string, isLinked: boolean): ContentBlock | undefined {
  const mimeType = imageTypes[extname(path).toLowerCase()]
  if (mimeType === undefined && !isLinked) return undefined
  // A name that is too long does not exist either.
  const stat = existsSync(path) ? statSync(path) : undefined
  if (stat?.isFile() !== true) return undefined
  const uri = pathToFileURL(path).href
  if (mimeType === undefined) return { type: 'resource_link', uri, name: basename(path) }
  if (stat.size > imageBytesMax)
    throw new OstlerError(
      'prompt.image_size',
      `${toSafeLine(path)} has ${formatBytes(stat.size)}; an image may have ${formatBytes(imageBytesMax)}.`,
    )
  return { type: 'image', data: readFileSync(path).toString('base64'), mimeType, uri }
}
