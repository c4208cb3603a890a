import { opendir, realpath } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { CleanText } from '../base/clean-text.ts'
import { isRecord } from '../base/is-record.ts'
import { isSecretPath } from '../base/sensitive-path.ts'
import { isInside } from '../base/is-inside.ts'
import { readTextFile } from './read-text-file.ts'
import { didYouMean } from '../base/did-you-mean.ts'
import { errorResult, objectSchema, textResult, type Tool } from '../messages/tool.ts'

/** Instructions for one kind of task, which the model reads when it needs them. */
export interface Skill {
  readonly name: string
  readonly description: string
  readonly folder: string
  /** The real paths of its files must be inside these folders. */
  readonly inside: readonly string[]
}

interface SkillPlace {
  readonly folder: string
  readonly inside: readonly string[]
}

const skillsMax = 100
const foldersMax = 300
const entriesMax = 1_000
const headBytesMax = 8 * 1024
const descriptionCharsMax = 400
const listCharsMax = 8_000
const skillTextBytesMax = 64 * 1024

interface LoadedSkills {
  readonly skills: readonly Skill[]
  readonly problems: readonly string[]
}

/** If two skills have the same name, the first one counts. */
export async function loadSkills(places: readonly SkillPlace[], clean: CleanText): Promise<LoadedSkills> {
  const found = (await Promise.all(places.map((place) => loadFrom(place, clean)))).flat()
  const byName = new Map<string, Skill>()
  for (const each of found)
    if ('name' in each && !byName.has(each.name) && byName.size < skillsMax) byName.set(each.name, each)
  return {
    skills: [...byName.values()],
    problems: found.flatMap((each) => ('problem' in each ? [each.problem] : [])),
  }
}

interface NoSkill {
  readonly problem: string
}

async function loadFrom(place: SkillPlace, clean: CleanText): Promise<readonly (Skill | NoSkill)[]> {
  const skills = join(place.folder, '.agents', 'skills')
  const { names, hasMore } = await foldersIn(skills)
  const folders = names.toSorted().slice(0, foldersMax)
  const loaded = await Promise.all(folders.map((name) => loadSkill(join(skills, name), place, clean)))
  const tooMany = { problem: `${clean(skills)} has too many entries: only ${foldersMax} folders are read.` }
  return [
    ...loaded.filter((skill) => skill !== undefined),
    ...(hasMore || folders.length < names.length ? [tooMany] : []),
  ]
}

async function foldersIn(
  folder: string,
): Promise<{ readonly names: readonly string[]; readonly hasMore: boolean }> {
  const names: string[] = []
  let read = 0
  try {
    for await (const entry of await opendir(folder)) {
      if (++read > entriesMax) return { names, hasMore: true }
      if (entry.isDirectory() || entry.isSymbolicLink()) names.push(entry.name)
    }
  } catch {
    // There are no skills, or no more that can be read.
  }
  return { names, hasMore: false }
}

async function loadSkill(
  folder: string,
  { folder: project, inside }: SkillPlace,
  clean: CleanText,
): Promise<Skill | NoSkill | undefined> {
  const no = (why: string): NoSkill => ({ problem: `${clean(folder)} is not used as a skill: ${why}.` })
  const [real, ...roots] = await Promise.all(
    [folder, project, ...inside].map((each) => realpath(each).catch(() => undefined)),
  )
  if (real === undefined) return undefined
  if (!roots.slice(1).some((root) => root !== undefined && isInside(real, root)))
    return no('it is a link out of the project')
  if (roots[0] !== undefined && isInside(roots[0], real))
    return no('it is a link to a folder that contains it, so all files there would be part of it')
  const head = await readTextFile(join(folder, 'SKILL.md'), inside, headBytesMax)
  if (head === undefined) return undefined
  const [, frontmatter] = /^\uFEFF?---\r?\n([^]*?)\r?\n---/.exec(head.text) ?? []
  const { name = basename(folder), description = '' } =
    frontmatter === undefined ? {} : await parseFrontmatter(frontmatter)
  const shown = clean(description).replace(/\s+/g, ' ').trim()
  if (shown === '') return no('its SKILL.md does not begin with a description between two lines of ---')
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    return no('its name may contain only letters, digits, dots, hyphens and underscores')
  return { name, description: shown.slice(0, descriptionCharsMax), folder, inside }
}

async function parseFrontmatter(
  text: string,
): Promise<{ readonly name?: string; readonly description?: string }> {
  const { parse } = await import('yaml')
  try {
    // In this schema, every value is a text.
    const value: unknown = parse(text, { schema: 'failsafe', maxAliasCount: 0 })
    if (!isRecord(value)) return {}
    const { name, description } = value
    return {
      ...(typeof name === 'string' && { name }),
      ...(typeof description === 'string' && { description }),
    }
  } catch {
    return {}
  }
}

export async function readSkill(
  skill: Skill,
  clean: CleanText,
  file = 'SKILL.md',
): Promise<string | undefined> {
  const path = resolve(skill.folder, file)
  if (!isInside(path, resolve(skill.folder))) return undefined
  // Reading a skill needs no approval, but a project could link a skill to a file that does.
  const [real, folder] = await Promise.all(
    [path, skill.folder].map((each) => realpath(each).catch(() => undefined)),
  )
  if (real === undefined || folder === undefined || isSecretPath(real)) return undefined
  if (file !== 'SKILL.md' && !isInside(real, folder)) return undefined
  const read = await readTextFile(path, skill.inside, skillTextBytesMax)
  if (read === undefined) return undefined
  const own = file === 'SKILL.md' ? read.text.replace(/^\uFEFF?---\r?\n[^]*?\r?\n---\r?\n?/, '') : read.text
  const text = clean(own, read.isCut)
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

const inputSchema = objectSchema(['name'], {
  name: { type: 'string', description: 'The name of the skill' },
  file: {
    type: 'string',
    description: 'A path relative to the folder of the skill. Default: its instructions',
  },
})

/** It reads nothing but skills and the files in their folders, so it needs no approval. */
export function createSkillTool(skills: readonly Skill[], clean: CleanText): Tool {
  return {
    ref: { server: null, tool: 'read_skill' },
    title: 'Read skill',
    description: 'Reads the instructions of a skill, or another file in its folder.',
    kind: 'read',
    isInternal: true,
    inputSchema,
    annotations: { readOnlyHint: true },
    plan: ({ name, file }) =>
      Promise.resolve({
        title: `Read skill ${String(name)}${file === undefined ? '' : ` (${String(file)})`}`,
        effect: 'none',
      }),
    async execute({ name, file }) {
      const skill = skills.find((each) => each.name === name)
      if (skill === undefined) {
        const near = didYouMean(
          String(name),
          skills.map((each) => each.name),
        )
        return errorResult(
          `There is no skill '${String(name)}'.${near === undefined ? '' : ` Did you mean '${near}'?`}`,
        )
      }
      const text = await readSkill(skill, clean, typeof file === 'string' ? file : undefined)
      if (text === undefined)
        return errorResult(
          `The skill '${skill.name}' has no readable text file '${String(file ?? 'SKILL.md')}'. Links out of its folder are not followed.`,
        )
      return textResult(file === undefined ? `The folder of this skill is ${skill.folder}.\n\n${text}` : text)
    },
  }
}
