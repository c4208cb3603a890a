import { isDeepStrictEqual } from 'node:util'
import { OstlerError } from '@ostler/agent-api'
import {
  agentName,
  hashText,
  messageOf,
  replaceTextFile,
  agentFileSchema,
  type AgentFile,
  problemsOf,
  type ConfigPath,
  isWithin,
  valueAt,
  type ConfigProblem,
  type Environment,
  examineAgentFile,
  type ExaminedAgentFile,
  readAgentText,
  unifiedDiff,
} from '@ostler/agent-api/internal'
import {
  changedSettings,
  isSameSettings,
  toAgentSettings,
  type AgentSettings,
  type SettingChange,
} from './agent-settings.ts'
import { editConfigText } from './edit-config-text.ts'

export interface ShownAgentFile {
  /** An edit applies to this version only. */
  readonly version: string
  readonly isThere: boolean
  readonly name: string
  /** Includes environment overrides. Defaults if the file is not valid. */
  readonly settings: AgentSettings
  readonly providers: NonNullable<AgentFile['providers']>
  /** By the field's path (`approval.mode`). */
  readonly overridden: Readonly<Record<string, string>>
  readonly problems: readonly string[]
}

interface AgentFileEdit {
  readonly path: string
  /** All that the form shows. Only those that differ from the effective settings are written. */
  readonly settings: AgentSettings
  readonly env: Environment
}

interface AgentFilePlan {
  readonly before: string
  readonly after: string
  readonly file: AgentFile
  /** Undefined if it would not be valid. */
  readonly edited: AgentFile | undefined
  readonly diff: string
  readonly version: string
  /** The file is not written if there are any. */
  readonly issues: readonly ConfigProblem[]
  /** About changes that have no effect. */
  readonly notes: readonly string[]
}

/** The file need not exist. Throws `config.unreadable`. */
export async function readAgentSettings(path: string, env: Environment): Promise<ShownAgentFile> {
  const text = await readAgentText(path)
  const examined = examineAgentFile(path, text, env)
  return {
    version: versionOf(text),
    isThere: text !== undefined,
    name: agentName(examined.file?.name ?? nameIn(examined.data)),
    settings:
      examined.file === undefined
        ? toAgentSettings(agentFileSchema.parse({}), {})
        : settingsOf(examined, examined.file),
    providers: examined.file?.providers ?? {},
    overridden: Object.fromEntries(
      examined.overrides.map(({ path: at, variable }) => [at.join('.'), variable]),
    ),
    problems: problemsOf(examined),
  }
}

/** Texts with variables are shown, and written, with the variables. */
function settingsOf(
  { data, written: asWritten, overrides }: ExaminedAgentFile,
  file: AgentFile,
): AgentSettings {
  return toAgentSettings(file, data, (at) => {
    const isOverridden = overrides.some(({ path: set }) => isWithin(at, set))
    const written = isOverridden ? undefined : valueAt(asWritten, at)
    return typeof written === 'string' ? written : undefined
  })
}

function nameIn(data: unknown): string | undefined {
  const name = valueAt(data, ['name'])
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** Writes nothing. Throws `config.*` for a file that is not valid or cannot be edited. */
export async function planAgentFileEdit({ path, settings, env }: AgentFileEdit): Promise<AgentFilePlan> {
  const text = await readAgentText(path)
  const examined = examineAgentFile(path, text, env)
  if (examined.file === undefined)
    throw new OstlerError(
      'config.invalid',
      `The agent file ${path} is invalid. Fix it by hand first:\n${problemsOf(examined).join('\n')}`,
    )
  const shown = settingsOf(examined, examined.file)
  const changes = withTheirNeeds(changedSettings(shown, settings), examined)
  const unknown = Object.keys(settings.mcpServers).filter((name) => !Object.hasOwn(shown.mcpServers, name))
  const before = text ?? ''
  const after = changes.length === 0 ? before : editConfigText(path, text ?? beginning(path), changes)
  if (after === undefined)
    throw new OstlerError(
      'config.uneditable',
      `The agent file ${path} cannot be edited without changing other parts of it. Edit it by hand.`,
    )

  const then = examineAgentFile(path, after, env)
  const issues = [
    ...unknown.map((name) => ({ path: ['mcpServers', name], message: 'the agent file has no such server' })),
    ...newProblems(examined, then),
  ]
  const isAsWanted = then.file !== undefined && isSameSettings(settingsOf(then, then.file), settings)
  return {
    before,
    after,
    file: examined.file,
    edited: issues.length > 0 ? undefined : then.file,
    diff: unifiedDiff(path, before, after),
    version: versionOf(text),
    issues,
    notes: isAsWanted ? [] : notesOn(changes, examined),
  }
}

/** Throws `config.changed` if the file has another version, or `config.invalid` with `data.issues`. */
export async function applyAgentFileEdit({
  version,
  ...edit
}: AgentFileEdit & { readonly version: string }): Promise<AgentFilePlan> {
  const plan = await planAgentFileEdit(edit)
  if (plan.version !== version) throw changed(edit.path)
  if (plan.issues.length > 0) {
    const lines = plan.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
    throw new OstlerError('config.invalid', `The agent file would not be valid:\n${lines.join('\n')}`, {
      data: { issues: plan.issues },
    })
  }
  if (plan.before !== plan.after) await replaceText(edit.path, plan)
  return plan
}

/** A pasted entry may have `disabled` instead of `enabled`. */
function foreignOf(path: ConfigPath): ConfigPath {
  return path[0] === 'mcpServers' && path[2] === 'enabled' ? [...path.slice(0, 2), 'disabled'] : path
}

/** A pasted entry has no mode. With any setting of Ostler it needs one, and `dynamic` requires `defaultToolConfig`. */
function withTheirNeeds(
  wanted: readonly SettingChange[],
  { data, written }: ExaminedAgentFile,
): readonly SettingChange[] {
  const changes = wanted.map((change) => {
    const at = foreignOf(change.path)
    return at !== change.path && valueAt(written, at) !== undefined
      ? { path: at, value: change.value !== true }
      : change
  })
  const ofServers = changes.filter(
    ({ path: [area, , field], value }) =>
      area === 'mcpServers' && field !== 'disabled' && value !== undefined,
  )
  const needs = [...new Set(ofServers.map(({ path }) => String(path[1])))].flatMap((name) => {
    const at = (field: string) => ['mcpServers', name, field]
    const mode =
      changes.find(({ path }) => path[1] === name && path[2] === 'mode')?.value ?? valueAt(data, at('mode'))
    const needed = [
      { path: at('mode'), value: mode },
      ...(mode === 'dynamic' ? [{ path: at('defaultToolConfig'), value: {} }] : []),
    ]
    const isGiven = (path: ConfigPath) => changes.some((change) => isDeepStrictEqual(change.path, path))
    return needed.filter(({ path }) => !isGiven(path) && valueAt(written, path) === undefined)
  })
  return [...changes, ...needs]
}

/** A file with old problems can still be edited; only new problems prevent it. */
function newProblems(before: ExaminedAgentFile, after: ExaminedAgentFile): readonly ConfigProblem[] {
  return after.problems.filter(
    (problem) => !before.problems.some((known) => isDeepStrictEqual(known, problem)),
  )
}

function notesOn(changes: readonly SettingChange[], { overrides }: ExaminedAgentFile): readonly string[] {
  const notes = changes.flatMap(({ path }) =>
    overrides
      .filter(({ path: set }) => isWithin(path, set) || isWithin(set, path))
      .map(
        ({ variable }) =>
          `${variable} is set in the environment and overrides ${path.join('.')} of the file.`,
      ),
  )
  return [...new Set(notes)]
}

function beginning(path: string): string {
  return /\.jsonc?$/i.test(path) ? '{}\n' : '# The agent file of Ostler. `ostler check` validates it.\n\n'
}

function versionOf(text: string | undefined): string {
  return text === undefined ? 'none' : hashText(text)
}

function changed(path: string): OstlerError {
  return new OstlerError('config.changed', `The agent file ${path} has changed in the meantime. Reload it.`)
}

async function replaceText(path: string, { after, version }: AgentFilePlan): Promise<void> {
  try {
    await replaceTextFile(path, after, async () => {
      if (versionOf(await readAgentText(path)) !== version) throw changed(path)
    })
  } catch (error) {
    if (error instanceof OstlerError) throw error
    throw new OstlerError(
      'config.unwritable',
      `The agent file ${path} cannot be written: ${messageOf(error)}`,
      { cause: error },
    )
  }
}
