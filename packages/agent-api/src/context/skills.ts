import { readdir, realpath } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { isRecord } from '../base/is-record.ts'
import { isSecretPath } from '../base/sensitive-path.ts'
import { cleaning } from '../redaction/cleaning.ts'
import type { Redactor } from '../redaction/redact.ts'
import { isInside, readTextFile } from './read-text-file.ts'

/** Instructions for one kind of task, which the model reads when it needs them. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** Its folder. Resources are relative to it. */
  readonly folder: string
  /** Real files are inside these. */
  readonly inside: readonly string[]
}

export interface SkillPlace {
  /** A folder with `.agents/skills`. */
  readonly folder: string
  readonly inside: readonly string[]
}

const skillsMax = 100
const foldersMax = 300
const headBytesMax = 8 * 1024
const descriptionCharsMax = 400
const listCharsMax = 8_000
export const skillTextBytesMax = 64 * 1024

/** Loads the names and descriptions of skills. Of two skills with one name, the first counts. */
export async function loadSkills(places: readonly SkillPlace[], redactor: Redactor): Promise<readonly Skill[]> {
  const found = await Promise.all(places.map((place) => loadFrom(place, redactor)))
  const byName = new Map<string, Skill>()
  for (const skill of found.flat()) if (!byName.has(skill.name) && byName.size < skillsMax) byName.set(skill.name, skill)
  return [...byName.values()]
}

async function loadFrom({ folder, inside }: SkillPlace, redactor: Redactor): Promise<readonly Skill[]> {
  const skills = join(folder, '.agents', 'skills')
  const entries = await readdir(skills, { withFileTypes: true }).catch(() => [])
  const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => join(skills, name))
  const loaded = await Promise.all(
    folders
      .toSorted()
      .slice(0, foldersMax)
      .map((each) => loadSkill(each, inside, redactor)),
  )
  return loaded.filter((skill) => skill !== undefined)
}

async function loadSkill(folder: string, inside: readonly string[], redactor: Redactor): Promise<Skill | undefined> {
  const head = await readTextFile(join(folder, 'SKILL.md'), inside, headBytesMax)
  const [, frontmatter] = /^\uFEFF?---\r?\n([^]*?)\r?\n---/.exec(head?.text ?? '') ?? []
  if (frontmatter === undefined) return undefined
  const { name = basename(folder), description } = await parseFrontmatter(frontmatter)
  const shown = cleaning(redactor)
    .redact(description ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  if (shown === '' || !/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return undefined
  return { name, description: shown.slice(0, descriptionCharsMax), folder, inside }
}

async function parseFrontmatter(text: string): Promise<{ readonly name?: string; readonly description?: string }> {
  const { parse } = await import('yaml')
  try {
    // In this schema, every value is a text.
    const value: unknown = parse(text, { schema: 'failsafe', maxAliasCount: 0 })
    if (!isRecord(value)) return {}
    const { name, description } = value
    return { ...(typeof name === 'string' && { name }), ...(typeof description === 'string' && { description }) }
  } catch {
    return {}
  }
}

/** The text of a skill, or a file in its folder. Undefined if there is none. */
export async function readSkill(skill: Skill, file = 'SKILL.md'): Promise<string | undefined> {
  const path = resolve(skill.folder, file)
  if (!isInside(path, resolve(skill.folder))) return undefined
  // Reading a skill is not asked for, but a project could link one to a file that must be asked for.
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined || isSecretPath(real)) return undefined
  const read = await readTextFile(path, skill.inside, skillTextBytesMax)
  if (read === undefined) return undefined
  const text = file === 'SKILL.md' ? read.text.replace(/^\uFEFF?---\r?\n[^]*?\r?\n---\r?\n?/, '') : read.text
  return read.isCut ? `${text}\n[The rest of the file is too long to show.]` : text
}

/** The list for the model. Skills that do not fit are only counted; each is still a slash command. */
export function toSkillList(skills: readonly Skill[]): string {
  let charsLeft = listCharsMax
  const lines: string[] = []
  for (const { name, description } of skills) {
    const line = `- ${name}: ${description}`
    charsLeft -= line.length
    if (charsLeft < 0) break
    lines.push(line)
  }
  const leftOut = skills.length - lines.length
  return [...lines, ...(leftOut === 0 ? [] : [`- and ${leftOut} more, which the person can name`])].join('\n')
}
