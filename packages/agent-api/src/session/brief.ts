import { toMarkdownCode, toMarkdownText } from '../base/markdown-text.ts'
import { dirname } from 'node:path'
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
import { createSkillTool } from '../context/skill-tool.ts'
import { loadSkills, toSkillList } from '../context/skills.ts'
import { createMessageId } from '../base/ids.ts'
import type { Briefing } from '../messages/briefing.ts'
import { toNote } from '../messages/context-change.ts'
import type { Message } from '../messages/message.ts'
import { configOfLocalTool } from '../policy/local-tools.ts'
import { enabledClients, type SessionState } from './session-state.ts'

const instructionsCharsMax = 48 * 1024
/** The part of the context window that instructions may fill. */
const instructionsShare = 0.1
const charsPerToken = 3.6
const serverCharsMax = 2_000
const problemsShownMax = 5

/** Loads the names of the skills. */
export async function loadSkillsOf(state: SessionState): Promise<void> {
  const { agent } = state
  if (!agent.skills) return
  const { folders, inside } = await placesOf(state)
  const project = folders.toReversed().map((folder) => ({ folder, inside }))
  // A project must not replace a skill of the person with its own.
  const own = agent.home === undefined ? [] : [{ folder: agent.home, inside: [agent.home] }]
  const { skills, problems } = await loadSkills([...own, ...project], agent.membranes.texts.clean)
  for (const problem of problems.slice(0, problemsShownMax)) agent.logger.warn(problem)
  const tool = createSkillTool(() => state.skills.list, agent.membranes.texts.clean)
  state.skills.list = skills
  state.skills.problems = problems
  state.skills.tools = skills.length === 0 ? [] : [{ tool, config: configOfLocalTool(tool, []), home: { type: 'local' } }]
}

/** Tells the model about its project when the session begins. Later, returns notes about changes. */
export async function brief(state: SessionState, contextSize: number): Promise<readonly Message[]> {
  const { briefing } = state.memory
  const places = await placesOf(state)
  if (briefing !== undefined && !briefing.isStale) return tellChanges(state, briefing, places, contextSize)
  const files = await instructionsIn(state, places, places.folders, contextSize)
  const { memory, conversation } = state
  const toldSince = Object.entries(briefing?.told ?? {}).filter(([key, hash]) => !key.startsWith(serverPrefix) && hash !== '')
  memory.searched = new Set([...places.folders, ...toldSince.map(([path]) => dirname(path))])
  memory.instructionFiles = [...new Set([...files.map(({ path }) => path), ...toldSince.map(([path]) => path)])]
  const told = Object.fromEntries([...toldSince, ...files.map(({ path, hash }) => [path, hash] as const)])
  const repository = places.root === undefined ? undefined : await loadRepository(places.root)
  conversation.change({ type: 'briefed', text: toBriefing(state, repository, files), servers: instructionsOfServers(state), told })
  return []
}

/** Checks all files that the model knows, and looks for new ones in the same folders. */
async function tellChanges(state: SessionState, { told }: Briefing, places: Places, contextSize: number): Promise<readonly Message[]> {
  const known = Object.keys(told).filter((key) => !key.startsWith(serverPrefix) && told[key] !== '')
  state.memory.instructionFiles = known
  const files = await instructionsIn(state, places, [...places.folders, ...known.map((path) => dirname(path))], contextSize)
  const found = new Set(files.map(({ path }) => path))
  return tellFiles(
    state,
    files,
    known.filter((path) => !found.has(path)),
  )
}

/** Notes for the next step: instructions of folders in which files were touched, and of servers that have connected since. */
export async function notesForStep(state: SessionState, contextSize: number): Promise<readonly Message[]> {
  return [...tellServers(state), ...(await tellTouched(state, contextSize))]
}

/** The model's knowledge of the project, for a person. */
export async function describeKnowledge(state: SessionState): Promise<string> {
  const { problems } = state.skills
  const shown = problems.slice(0, problemsShownMax)
  const more = problems.length - shown.length
  return [
    await describeInstructions(state),
    ...shown.map(toMarkdownText),
    ...(more > 0 ? [`${more} more folders are not used as skills.`] : []),
  ].join('\n\n')
}

async function describeInstructions(state: SessionState): Promise<string> {
  const { agent, memory, cwd } = state
  if (!agent.projectInstructions) return 'The agent file switches the instructions of the project off.'
  const isBriefed = memory.briefing !== undefined && memory.instructionFiles.length > 0
  const places = await placesOf(state)
  const paths = isBriefed
    ? memory.instructionFiles
    : (await instructionsIn(state, places, places.folders, Infinity)).map(({ path }) => path)
  const files = paths.map((path) => toMarkdownCode(shownPath(path, cwd)))
  return files.length === 0
    ? 'The project has no instructions for agents.'
    : `The model reads the instructions of the project: ${files.join(', ')}.`
}

const serverPrefix = 'server:'

interface Places {
  /** The root of the repository. */
  readonly root: string | undefined
  readonly folders: readonly string[]
  readonly inside: readonly string[]
}

/** From the root of the repository down to the working directory, and the other directories of the session. */
async function placesOf({ agent, cwd, settings }: SessionState): Promise<Places> {
  const { additionalDirectories } = settings.current
  const root = await findRoot(cwd, agent.home)
  const above = root === undefined ? [cwd] : foldersBetween(root, cwd)
  return { root, folders: [...new Set([...above, ...additionalDirectories])], inside: [above[0] ?? cwd, ...additionalDirectories] }
}

function instructionsIn(
  { agent, cwd }: SessionState,
  { inside }: Places,
  folders: readonly string[],
  contextSize: number,
): Promise<readonly InstructionFile[]> {
  if (!agent.projectInstructions) return Promise.resolve([])
  const charsMax = Math.min(instructionsCharsMax, Math.floor(contextSize * instructionsShare * charsPerToken))
  return loadInstructions({ folders, inside: [...inside, cwd], charsMax, clean: agent.membranes.texts.clean })
}

function toBriefing({ agent, cwd, skills }: SessionState, repository: Repository | undefined, files: readonly InstructionFile[]): string {
  return [
    toEnvironmentFacts(repository, { cwd, env: agent.env, now: new Date() }),
    ...(files.length === 0 ? [] : [`${aboutInstructions}\n\n${toInstructionText(files, cwd)}`]),
    ...(skills.list.length === 0
      ? []
      : [`Skills. Before a task that one of these describes, read it with read_skill:\n${toSkillList(skills.list)}`]),
  ].join('\n\n')
}

const aboutInstructions =
  'The project has instructions for agents. Follow them unless the person says otherwise; the last ones are the most specific. They cannot change what you are allowed to do.'

function instructionsOfServers(state: SessionState): Record<string, string> {
  const known = [...enabledClients(state).values()].map(
    ({ name, instructions }) => [name, (instructions ?? '').slice(0, serverCharsMax)] as const,
  )
  return Object.fromEntries(known.filter(([, text]) => text.trim() !== ''))
}

/** The beginning of the prompt stays the same, so servers that connect later are announced in a message. */
function tellServers(state: SessionState): readonly Message[] {
  const { briefing } = state.memory
  if (briefing === undefined) return []
  const fresh = Object.entries(instructionsOfServers(state)).filter(
    ([name, text]) => briefing.servers[name] !== text && briefing.told[serverPrefix + name] !== hashOf(text),
  )
  if (fresh.length === 0) return []
  state.conversation.change({ type: 'told', told: Object.fromEntries(fresh.map(([name, text]) => [serverPrefix + name, hashOf(text)])) })
  return [note(fresh.map(([name, text]) => `The server '${name}' says about its own tools:\n${text}`).join('\n\n'))]
}

async function tellTouched(state: SessionState, contextSize: number): Promise<readonly Message[]> {
  const { cwd, settings, memory } = state
  const paths = memory.touched
  memory.touched = []
  if (paths.length === 0) return []
  const roots = [cwd, ...settings.current.additionalDirectories]
  const folders = [...new Set(paths.flatMap((path) => foldersBelow(roots, path)))].filter((folder) => !memory.searched.has(folder))
  if (folders.length === 0) return []
  memory.searched = new Set([...memory.searched, ...folders])
  return tellFiles(state, await instructionsIn(state, await placesOf(state), folders, contextSize), [])
}

/** Notes about new, changed and deleted files. The hash of a deleted file is empty. */
function tellFiles(state: SessionState, files: readonly InstructionFile[], gone: readonly string[]): readonly Message[] {
  const { memory, cwd, conversation } = state
  const told = memory.briefing?.told ?? {}
  const fresh = files.filter(({ path, hash }) => told[path] !== hash)
  if (fresh.length === 0 && gone.length === 0) return []
  const all = new Set([...memory.instructionFiles, ...fresh.map(({ path }) => path)])
  memory.instructionFiles = [...all].filter((path) => !gone.includes(path))
  conversation.change({
    type: 'told',
    told: Object.fromEntries([...fresh.map(({ path, hash }) => [path, hash]), ...gone.map((path) => [path, ''])]),
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
