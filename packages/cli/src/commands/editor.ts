import { platform } from 'node:os'
import { createRedactor, OstlerError } from '@ostler/agent-api'
import { isSecretName, suggest, findHome, unifiedDiff } from '@ostler/agent-api/internal'
import {
  bareError,
  defineCommand,
  jsonFlag,
  listed,
  switchFlag,
  textFlag,
  usageError,
  yesFlag,
  type Flags,
  type FlagValues,
} from '../command-line/command.ts'
import type { Io } from '../terminal/io.ts'
import { toPath } from '../state/places.ts'
import { confirm, hasPerson } from '../terminal/ask.ts'
import { print } from '../terminal/print.ts'
import { toShown } from '../terminal/safe-text.ts'
import { chooseFile, editorNames, editors, type Editor } from './editor/editors.ts'
import { ownCommandLine } from './editor/own-command-line.ts'
import { planRegistration } from './editor/plan-registration.ts'
import { readSettings, writeSettings } from './editor/write-registration.ts'

const flags = {
  write: switchFlag(
    "Change the editor's settings: show the difference, ask, and keep a copy of the old file",
  ),
  file: textFlag('FILE', "The settings file to change (default: the editor's own)", { completion: 'file' }),
  yes: { ...yesFlag, help: 'With --write: do not ask' },
  json: jsonFlag,
} as const satisfies Flags

export const command = defineCommand({
  synopsis: [`<${editorNames.join('|')}> [options]`],
  about: `Prints what to add to the editor's settings, with the absolute paths of this installation, or adds it. Comments, order and your own
fields are kept. For neovim and emacs, --write writes a file of its own, and prints the line that loads it.`,
  flags,
  words: [editorNames, 'nothing'],
  async run(io, { values, words }) {
    const [name, ...others] = words
    if (name === undefined) throw bareError('no editor given')
    const editor = editors.find((each) => each.name === name)
    if (editor === undefined || others.length > 0)
      throw usageError(
        `no settings for '${words.join(' ')}'; expected ${listed(editorNames)}${suggest(name, editorNames)}`,
      )
    if (values.write) return register(io, editor, values)
    if (values.yes || values.file !== undefined)
      throw usageError(`--${values.yes ? 'yes' : 'file'} needs --write`)
    show(io, editor, values.json)
    return 0
  },
})

function show(io: Io, editor: Editor, json: boolean): void {
  const text = editor.toText([...ownCommandLine(io), 'acp'])
  const { name, place } = editor
  // Only for a person: a script that reads both streams needs the text alone.
  if (!json && io.stderr.isTTY) io.stderr.write(`Add this to ${place}:\n`)
  print(io, { json }, { editor: name, place, text }, () => text)
}

async function register(io: Io, editor: Editor, values: FlagValues<typeof flags>): Promise<number> {
  const mayAsk = !values.yes && !values.json && hasPerson(io)
  if (!values.yes && !mayAsk) throw usageError('without a terminal, --write needs --yes')
  const file = values.file === undefined ? ownFile(io, editor) : toPath(io, values.file)
  const before = readSettings(file)
  const after = planRegistration(
    { target: editor.target, commandLine: [...ownCommandLine(io), 'acp'] },
    file,
    before,
  )
  const isChange = before !== after
  if (isChange && !values.json)
    io.stdout.write(toShown(withoutSecrets(unifiedDiff(file, before ?? '', after), before)))
  if (isChange && mayAsk && !(await confirm(`Change ${file}?`, 'Nothing was changed.', io))) return 1
  const backup = isChange ? await writeSettings(file, after, before) : undefined
  const nextStep = editor.target.kind === 'file' ? editor.target.nextStep : undefined
  print(io, values, { editor: editor.name, file, changed: isChange, backup, nextStep }, () =>
    [
      isChange ? `Wrote ${file}` : `Ostler is already registered in ${file}. Nothing was changed.`,
      ...(backup === undefined ? [] : [`The old file is ${backup}`]),
      ...(nextStep === undefined ? [] : [nextStep]),
    ].join('\n'),
  )
  return 0
}

function ownFile({ env }: Io, editor: Editor): string {
  const home = findHome(env)
  if (home === undefined)
    throw new OstlerError(
      'editor.no_home',
      'Your home directory is not known. Set HOME, or name the settings file with --file.',
    )
  return chooseFile(editor, { platform: platform(), home, env })
}

/** The lines around a change may have keys, such as the variables of another agent. */
function withoutSecrets(diff: string, settings = ''): string {
  const redactor = createRedactor()
  for (const [, name = '', value = ''] of settings.matchAll(/"([^"\\]+)"\s*:\s*"((?:[^"\\]|\\.)+)"/g))
    if (isSecretName(name)) redactor.add(value)
  return redactor.redact(diff)
}
