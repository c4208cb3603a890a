import { agentName } from './agent-name.ts'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { messageOf, OstlerError } from '../base/errors.ts'
import { makeDirectory } from '../base/make-directory.ts'
import { agentFileSchema } from './agent-file-schema.ts'
import { problemsOf } from './agent-file.ts'
import { changedSettings, isSameSettings, toAgentSettings, type AgentSettings, type SettingChange } from './agent-settings.ts'
import type { ConfigPath } from './config-document.ts'
import { valueAt, type ConfigProblem } from './describe-issue.ts'
import { editConfigText } from './edit-config-text.ts'
import type { Environment } from './environment-overrides.ts'
import { examineAgentFile, type ExaminedAgentFile } from './examine-agent-file.ts'
import { readAgentText } from './read-agent-text.ts'
import { unifiedDiff } from './unified-diff.ts'

/** What a form shows of an agent file. */
export interface ShownAgentFile {
  /** Of the file as it was read; a change is made to this one or to none. */
  readonly version: string
  readonly isThere: boolean
  /** Under which name the agent's grants, sessions and calls are kept. */
  readonly name: string
  /** As they hold now: the environment's word is in them. Those of the built-in agent for a file that cannot be used. */
  readonly settings: AgentSettings
  /** Which variable of the environment stands in for a field, by the field's path (`approval.mode`). */
  readonly overridden: Readonly<Record<string, string>>
  /** Whether the file itself says something of a field. */
  readonly isWritten: (path: ConfigPath) => boolean
  readonly problems: readonly string[]
}

export interface AgentFileEdit {
  readonly path: string
  /** All that the form shows; what does not differ from what holds now is left as it is written. */
  readonly settings: AgentSettings
  readonly env: Environment
}

export interface AgentFilePlan {
  readonly before: string
  readonly after: string
  /** A unified diff; empty when nothing changes. */
  readonly diff: string
  readonly version: string
  /** What would be wrong with the file. It is not written as long as there is any. */
  readonly issues: readonly ConfigProblem[]
  /** What will not have the effect that it seems to. */
  readonly notes: readonly string[]
}

/** There need not be such a file. Throws `config.unreadable`. */
export async function readAgentSettings(path: string, env: Environment): Promise<ShownAgentFile> {
  const text = await readAgentText(path)
  const examined = examineAgentFile(path, text, env)
  const raw = examineAgentFile(path, text, {}).data
  return {
    version: versionOf(text),
    isThere: text !== undefined,
    name: agentName(examined.file?.name ?? nameIn(examined.data)),
    settings: toAgentSettings(examined.file ?? agentFileSchema.parse({}), examined.file === undefined ? {} : examined.data),
    overridden: Object.fromEntries(examined.overrides.map(({ path: at, variable }) => [at.join('.'), variable])),
    isWritten: (at) => valueAt(raw, at) !== undefined,
    problems: problemsOf(examined),
  }
}

/** Of a file that is wrong somewhere else. */
function nameIn(data: unknown): string | undefined {
  const name = valueAt(data, ['name'])
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** What would become of the file. Writes nothing. Throws `config.*` for one that cannot be used, or not be edited. */
export async function planAgentFileEdit({ path, settings, env }: AgentFileEdit): Promise<AgentFilePlan> {
  const text = await readAgentText(path)
  const examined = examineAgentFile(path, text, env)
  if (examined.file === undefined)
    throw new OstlerError(
      'config.invalid',
      `The agent file ${path} is not valid, and has to be mended by hand first:\n${problemsOf(examined).join('\n')}`,
    )
  const shown = toAgentSettings(examined.file, examined.data)
  const changes = changedSettings(shown, settings).flatMap((change) => withItsNeeds(change, examined))
  const unknown = Object.keys(settings.mcpServers).filter((name) => !Object.hasOwn(shown.mcpServers, name))
  const before = text ?? ''
  const after = changes.length === 0 ? before : editConfigText(path, text ?? beginning(path), changes)
  if (after === undefined)
    throw new OstlerError(
      'config.uneditable',
      `The agent file ${path} is written in a way that Ostler cannot change without changing more than that. Change it by hand.`,
    )

  const then = examineAgentFile(path, after, env)
  const issues = [
    ...unknown.map((name) => ({ path: ['mcpServers', name], message: 'the agent file has no such server' })),
    ...newProblems(examined, then),
  ]
  const isAsWanted = then.file !== undefined && isSameSettings(toAgentSettings(then.file, then.data), settings)
  return {
    before,
    after,
    diff: unifiedDiff(path, before, after),
    version: versionOf(text),
    issues,
    notes: isAsWanted ? [] : notesOn(changes, examined),
  }
}

/** Writes it, at once and as a whole. Throws `config.changed` when the file is not the one with that version, `config.invalid` with `data.issues`. */
export async function applyAgentFileEdit({ version, ...edit }: AgentFileEdit & { readonly version: string }): Promise<AgentFilePlan> {
  const plan = await planAgentFileEdit(edit)
  if (plan.version !== version) throw changed(edit.path)
  if (plan.issues.length > 0) {
    const lines = plan.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
    throw new OstlerError('config.invalid', `The agent file would not be valid:\n${lines.join('\n')}`, { data: { issues: plan.issues } })
  }
  if (plan.before !== plan.after) await replaceText(edit.path, plan)
  return plan
}

/** A dynamic server has to say how its tools may be used. */
function withItsNeeds(change: SettingChange, { data }: ExaminedAgentFile): readonly SettingChange[] {
  const [area, name, field] = change.path
  if (area !== 'mcpServers' || name === undefined || field !== 'mode' || change.value !== 'dynamic') return [change]
  const at = ['mcpServers', name, 'defaultToolConfig']
  return valueAt(data, at) === undefined ? [change, { path: at, value: {} }] : [change]
}

/** A file that had its faults before can be edited all the same; what is new would be ours. */
function newProblems(before: ExaminedAgentFile, after: ExaminedAgentFile): readonly ConfigProblem[] {
  return after.problems.filter((problem) => !before.problems.some((known) => isDeepStrictEqual(known, problem)))
}

function notesOn(changes: readonly SettingChange[], { overrides }: ExaminedAgentFile): readonly string[] {
  const notes = changes.flatMap(({ path }) =>
    overrides
      .filter(
        ({ path: set }) =>
          set.every((key, index) => String(key) === String(path[index])) || path.every((key, index) => String(key) === String(set[index])),
      )
      .map(({ variable }) => `${variable} is set in the environment and stands in for ${path.join('.')} of the file.`),
  )
  return [...new Set(notes)]
}

function beginning(path: string): string {
  return /\.jsonc?$/i.test(path) ? '{}\n' : '# The agent file of Ostler. `ostler check` says whether it is right.\n\n'
}

function versionOf(text: string | undefined): string {
  return text === undefined ? 'none' : createHash('sha256').update(text).digest('hex')
}

function changed(path: string): OstlerError {
  return new OstlerError('config.changed', `The agent file ${path} was changed in the meantime. Look at it again.`)
}

/** Whoever reads the file sees the old one or the new one. A link stays one, and who may read the file stays as it was. */
async function replaceText(path: string, { after, version }: AgentFilePlan): Promise<void> {
  let temporary: string | undefined
  try {
    const target = await realpath(path).catch(() => path)
    makeDirectory(dirname(target))
    // Keys may come to stand in it.
    const mode = (await stat(target).catch(() => undefined))?.mode ?? 0o600
    temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(after)
      await file.sync()
    } finally {
      await file.close()
    }
    await chmod(temporary, mode & 0o7777)
    if (versionOf(await readAgentText(path)) !== version) throw changed(path)
    await rename(temporary, target)
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true }).catch(() => undefined)
    if (error instanceof OstlerError) throw error
    throw new OstlerError('config.unwritable', `The agent file ${path} cannot be written: ${messageOf(error)}`, { cause: error })
  }
}
