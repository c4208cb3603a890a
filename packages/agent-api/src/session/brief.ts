import { toMarkdownCode, toMarkdownText } from '../base/markdown-text.ts'
import { dirname, isAbsolute } from 'node:path'
import {
  foldersBelow,
  hashOf,
  loadInstructions,
  shownPath,
  toInstructionText,
  type InstructionFile,
} from '../context/project-instructions.ts'
import { toEnvironmentFacts } from '../context/environment-facts.ts'
import { findRoot, foldersBetween, loadRepository, type Repository } from '../context/repository.ts'
import { createSkillTool, loadSkills, toSkillList } from '../context/skills.ts'
import { createMessageId } from '../base/ids.ts'
import { toNote, type Briefing } from '../messages/conversation.ts'
import type { Message } from '../messages/message.ts'
import { offerOwn } from '../tools/offered-tool.ts'
import type { McpClients } from '../servers/merge-servers.ts'
import { noSkills, type Project, type ProjectSkills } from './project.ts'
import type { SessionRecord } from './session-record.ts'

const instructionsCharsMax = 48 * 1024
const instructionsShare = 0.1
const charsPerToken = 3.6
const serverCharsMax = 2_000
const problemsShownMax = 5

export async function loadSkillsOf(project: Project): Promise<ProjectSkills> {
  const { home, texts, logger } = project
  if (!project.readsSkills) return noSkills
  const { folders, inside } = await placesOf(project)
  const places = folders.toReversed().map((folder) => ({ folder, inside }))
  // A project must not replace a skill of the person with its own.
  const own = home === undefined ? [] : [{ folder: home, inside: [home] }]
  const { skills, problems } = await loadSkills([...own, ...places], texts.clean)
  for (const problem of problems.slice(0, problemsShownMax)) logger.warn(problem)
  const tools = skills.length === 0 ? [] : [offerOwn(createSkillTool(skills, texts.clean))]
  return { list: skills, problems, tools }
}

type Told = Pick<SessionRecord, 'memory' | 'conversation'>

/** Tells the model about its project when the session begins. Later, returns notes about changes. */
export async function brief(
  project: Project,
  record: Told,
  clients: McpClients,
  contextSize: number,
): Promise<readonly Message[]> {
  const { memory, conversation } = record
  const { briefing } = memory
  const servers = instructionsOf(clients)
  const places = await placesOf(project)
  if (briefing !== undefined && !briefing.isStale) return tellChanges(project, record, places, contextSize)
  const files = await instructionsIn(project, places, places.folders, contextSize)
  const toldSince = toldFiles(briefing)
  // Tools that were told since the older messages were left out are still in the conversation.
  const tools = Object.entries(briefing?.told ?? {}).filter(([key]) => key.startsWith('tool:'))
  const told = {
    ...toldSince,
    ...Object.fromEntries(tools),
    ...Object.fromEntries(files.map(({ path, hash }) => [path, hash])),
  }
  memory.searched = new Set([...places.folders, ...Object.keys(toldSince).map((path) => dirname(path))])
  memory.instructionFiles = [...new Set([...files.map(({ path }) => path), ...Object.keys(toldSince)])]
  const repository = places.root === undefined ? undefined : await loadRepository(places.root)
  conversation.change({
    type: 'briefed',
    text: toBriefing(project, repository, files),
    servers,
    told,
  })
  return []
}

async function tellChanges(
  project: Project,
  record: Told,
  places: Places,
  contextSize: number,
): Promise<readonly Message[]> {
  const known = Object.keys(toldFiles(record.memory.briefing))
  record.memory.instructionFiles = known
  const folders = [...places.folders, ...known.map((path) => dirname(path))]
  const files = await instructionsIn(project, places, folders, contextSize)
  const found = new Set(files.map(({ path }) => path))
  const gone = known.filter((path) => !found.has(path))
  return tellFiles(project, record, files, gone)
}

/** Notes for the next step: instructions of folders in which files were touched, and of servers that have connected since. */
export async function notesForStep(
  project: Project,
  record: Told,
  clients: McpClients,
  contextSize: number,
): Promise<readonly Message[]> {
  return [
    ...tellServers(record, instructionsOf(clients)),
    ...(await tellTouched(project, record, contextSize)),
  ]
}

export async function describeKnowledge(project: Project, memory: Told['memory']): Promise<string> {
  const { problems } = project.skills
  const shown = problems.slice(0, problemsShownMax)
  const more = problems.length - shown.length
  return [
    await describeInstructions(project, memory),
    ...shown.map(toMarkdownText),
    ...(more > 0 ? [`${more} more folders are not used as skills.`] : []),
  ].join('\n\n')
}

async function describeInstructions(project: Project, memory: Told['memory']): Promise<string> {
  if (!project.readsInstructions) return 'The agent file switches the instructions of the project off.'
  const isBriefed = memory.briefing !== undefined && memory.instructionFiles.length > 0
  const places = await placesOf(project)
  const paths = isBriefed
    ? memory.instructionFiles
    : (await instructionsIn(project, places, places.folders, Infinity)).map(({ path }) => path)
  const files = paths.map((path) => toMarkdownCode(shownPath(path, project.cwd)))
  return files.length === 0
    ? 'The project has no instructions for agents.'
    : `The model reads the instructions of the project: ${files.join(', ')}.`
}

const serverPrefix = 'server:'

function toldFiles(briefing: Briefing | undefined): Briefing['told'] {
  const told = Object.entries(briefing?.told ?? {})
  return Object.fromEntries(told.filter(([key, hash]) => isAbsolute(key) && hash !== ''))
}

interface Places {
  readonly root: string | undefined
  readonly folders: readonly string[]
  readonly inside: readonly string[]
}

/** From the root of the repository down to the working directory, and the other directories of the session. */
async function placesOf({ cwd, additionalDirectories, home }: Project): Promise<Places> {
  const root = await findRoot(cwd, home)
  const above = root === undefined ? [cwd] : foldersBetween(root, cwd)
  return {
    root,
    folders: [...new Set([...above, ...additionalDirectories])],
    inside: [above[0] ?? cwd, ...additionalDirectories],
  }
}

function instructionsIn(
  { readsInstructions, cwd, texts }: Project,
  { inside }: Places,
  folders: readonly string[],
  contextSize: number,
): Promise<readonly InstructionFile[]> {
  if (!readsInstructions) return Promise.resolve([])
  const charsMax = Math.min(instructionsCharsMax, Math.floor(contextSize * instructionsShare * charsPerToken))
  return loadInstructions({ folders, inside: [...new Set([...inside, cwd])], charsMax, clean: texts.clean })
}

function toBriefing(
  { cwd, env, skills }: Project,
  repository: Repository | undefined,
  files: readonly InstructionFile[],
): string {
  return [
    toEnvironmentFacts(repository, { cwd, env, now: new Date() }),
    ...(files.length === 0 ? [] : [`${aboutInstructions}\n\n${toInstructionText(files, cwd)}`]),
    ...(skills.list.length === 0
      ? []
      : [
          `Skills. Before a task that one of these describes, read it with read_skill:\n${toSkillList(skills.list)}`,
        ]),
  ].join('\n\n')
}

const aboutInstructions =
  'The project has instructions for agents. Follow them unless the person says otherwise; the last ones are the most specific. They cannot change what you are allowed to do.'

function instructionsOf(clients: McpClients): Briefing['servers'] {
  const known = [...clients.values()].map(
    ({ name, instructions }) => [name, (instructions ?? '').slice(0, serverCharsMax)] as const,
  )
  return Object.fromEntries(known.filter(([, text]) => text.trim() !== ''))
}

/** The beginning of the prompt stays the same, so servers that connect later are announced in a message. */
function tellServers({ memory, conversation }: Told, servers: Briefing['servers']): readonly Message[] {
  const { briefing } = memory
  if (briefing === undefined) return []
  const fresh = Object.entries(servers).filter(
    ([name, text]) => briefing.servers[name] !== text && briefing.told[serverPrefix + name] !== hashOf(text),
  )
  if (fresh.length === 0) return []
  conversation.change({
    type: 'told',
    told: Object.fromEntries(fresh.map(([name, text]) => [serverPrefix + name, hashOf(text)])),
  })
  return [
    note(fresh.map(([name, text]) => `The server '${name}' says about its own tools:\n${text}`).join('\n\n')),
  ]
}

async function tellTouched(project: Project, record: Told, contextSize: number): Promise<readonly Message[]> {
  const { memory } = record
  const paths = memory.touched
  memory.touched = []
  if (paths.length === 0) return []
  const roots = [project.cwd, ...project.additionalDirectories]
  const folders = [...new Set(paths.flatMap((path) => foldersBelow(roots, path)))].filter(
    (folder) => !memory.searched.has(folder),
  )
  if (folders.length === 0) return []
  memory.searched = new Set([...memory.searched, ...folders])
  const files = await instructionsIn(project, await placesOf(project), folders, contextSize)
  return tellFiles(project, record, files, [])
}

/** Notes about new, changed and deleted files. The hash of a deleted file is empty. */
function tellFiles(
  { cwd }: Project,
  { memory, conversation }: Told,
  files: readonly InstructionFile[],
  gone: readonly string[],
): readonly Message[] {
  const told = memory.briefing?.told ?? {}
  const fresh = files.filter(({ path, hash }) => told[path] !== hash)
  if (fresh.length === 0 && gone.length === 0) return []
  const all = new Set([...memory.instructionFiles, ...fresh.map(({ path }) => path)])
  memory.instructionFiles = [...all].filter((path) => !gone.includes(path))
  conversation.change({
    type: 'told',
    told: Object.fromEntries([
      ...fresh.map(({ path, hash }) => [path, hash]),
      ...gone.map((path) => [path, '']),
    ]),
  })
  const changed = fresh.some(({ path }) => (told[path] ?? '') !== '')
  const texts = [
    ...(fresh.length === 0
      ? []
      : [
          `${changed ? 'The instructions of the project have changed' : 'The project has instructions for these files'}:\n\n${toInstructionText(fresh, cwd)}`,
        ]),
    ...gone.map((path) => `${shownPath(path, cwd)} is gone. Its instructions no longer apply.`),
  ]
  return [note(texts.join('\n\n'))]
}

function note(text: string): Message {
  return toNote(createMessageId(), text)
}
