import { isDeepStrictEqual } from 'node:util'
import { OstlerError } from '@ostler/agent-api'
import { isRecord, messageOf } from '@ostler/agent-api/internal'
import { editConfigText, parseJsonc, type TextChange } from '@ostler/workbench'
import type { FileTarget, SettingsTarget } from './editors.ts'
import type { CommandLine } from './editor-texts.ts'

/**
 * The text of a settings file with Ostler registered in it. The same text if it is registered already. Keeps comments, order, and the
 * person's own fields of the entry. Throws `editor.unusable` for a file that cannot be changed safely.
 */
export function planRegistration(
  {
    target,
    commandLine,
  }: { readonly target: SettingsTarget | FileTarget; readonly commandLine: CommandLine },
  file: string,
  before: string | undefined,
): string {
  if (target.kind === 'file') return planFile(target, commandLine, file, before)
  const text = before === undefined || before.trim() === '' ? '{}\n' : before
  const data = parseSettings(file, text)
  const agents = data[target.agents]
  if (agents !== undefined && !isRecord(agents)) throw unusable(file, `its ${target.agents} is not an object`)
  const entry = agents?.['Ostler']
  if (entry !== undefined && !isRecord(entry))
    throw unusable(file, `its ${target.agents}.Ostler is not an object`)
  const changes = [...toEntryChanges(target, commandLine, entry), ...toMissing(target, data)]
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const after = editConfigText('settings.json', text.slice(bom.length), changes)
  if (after === undefined) throw unusable(file, 'it cannot be changed without changing other parts of it')
  return changes.length === 0 && before !== undefined ? before : `${bom}${after}`
}

function toEntryChanges(
  { agents, toFields }: SettingsTarget,
  commandLine: CommandLine,
  entry: Readonly<Record<string, unknown>> | undefined,
) {
  const fields = toFields(commandLine)
  if (entry === undefined) return [{ path: [agents, 'Ostler'], value: fields }]
  return Object.entries(fields).flatMap(([field, value]): TextChange[] => {
    // A person may have added variables.
    const isKept = field === 'env' ? entry[field] !== undefined : isDeepStrictEqual(entry[field], value)
    return isKept ? [] : [{ path: [agents, 'Ostler', field], value }]
  })
}

function toMissing({ others }: SettingsTarget, data: Readonly<Record<string, unknown>>): TextChange[] {
  return Object.entries(others).flatMap(([field, value]) =>
    data[field] === undefined ? [{ path: [field], value }] : [],
  )
}

export function parseSettings(file: string, text: string): Readonly<Record<string, unknown>> {
  let data: unknown
  try {
    data = parseJsonc(text)
  } catch (error) {
    throw unusable(
      file,
      messageOf(error)
        .replace(/^It is/, 'it is')
        .replace(/\.$/, ''),
    )
  }
  if (!isRecord(data)) throw unusable(file, 'it is JSON, but not an object')
  return data
}

function planFile(
  { toContent, mark }: FileTarget,
  commandLine: CommandLine,
  file: string,
  before: string | undefined,
): string {
  if (before !== undefined && !before.startsWith(mark)) throw unusable(file, 'it was not written by Ostler')
  return toContent(commandLine)
}

function unusable(file: string, why: string): OstlerError {
  return new OstlerError(
    'editor.unusable',
    `${file} was not changed: ${why}. Fix or move it, or name another file with --file.`,
  )
}
