import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname, isAbsolute } from 'node:path'
import { findHome, isRecord, messageOf } from '@ostler/agent-api/internal'
import type { Io } from '../../terminal/io.ts'
import { chooseFile, editors, type Editor } from '../editor/editors.ts'
import type { CommandLine } from '../editor/editor-texts.ts'
import { ownCommandLine } from '../editor/own-command-line.ts'
import { parseSettings, planRegistration } from '../editor/plan-registration.ts'
import { readSettings } from '../editor/write-registration.ts'
import { finding, type Finding } from './finding.ts'

/** The editors with settings on this machine, and whether this installation is registered in them. */
export function examineEditors(io: Pick<Io, 'env' | 'platform' | 'self'>): readonly Finding[] {
  const home = findHome(io.env)
  if (home === undefined)
    return [
      finding('Editors', 'warning', 'not examined, because your home directory is not known', 'Set HOME.'),
    ]
  const at = { platform: platform(), home, env: io.env }
  const commandLine = ownCommandLine(io)
  const found = editors.flatMap((editor) => {
    const file = chooseFile(editor, at)
    return existsSync(file) || existsSync(dirname(file)) ? [examine(io, commandLine, editor, file)] : []
  })
  if (found.length > 0) return found
  return [
    finding(
      'Editors',
      'note',
      'no settings of a known editor',
      '`ostler editor --help` lists the editors; `ostler chat` needs none.',
    ),
  ]
}

function examine(
  { self: [node, script = node] }: Pick<Io, 'self'>,
  commandLine: CommandLine,
  { name, target }: Editor,
  file: string,
): Finding {
  const what = `Editor ${name}`
  const advice = `\`ostler editor ${name} --write\` registers Ostler.`
  try {
    const before = readSettings(file)
    const after = planRegistration({ target, commandLine: [...commandLine, 'acp'] }, file, before)
    if (before === after) return finding(what, 'ok', `registered in ${file}`)
    if (before === undefined || !/\bostler\b/i.test(before))
      return finding(what, 'note', 'not registered', advice)
    const paths = registeredPaths(target, file, before)
    const gone = paths.find((path) => !existsSync(path))
    if (gone !== undefined)
      return finding(what, 'warning', `${file} names a file that does not exist: ${gone}`, advice)
    if (paths[1] === script)
      return finding(what, 'warning', `${file} names ${paths[0]}, which an update of Node may remove`, advice)
    return finding(what, 'note', `${file} names Ostler, but not this installation`, advice)
  } catch (error) {
    return finding(
      what,
      'warning',
      messageOf(error),
      'Fix the file, or add the text of `ostler editor` by hand.',
    )
  }
}

/** The files that the editor needs to start Ostler. */
function registeredPaths(target: Editor['target'], file: string, settings: string): string[] {
  if (target.kind === 'file')
    return [...settings.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)]
      .map(([, word = '']) => word.replaceAll(/\\(.)/g, '$1'))
      .filter(isAbsolute)
  const agents = parseSettings(file, settings)[target.agents]
  const entry = isRecord(agents) && isRecord(agents['Ostler']) ? agents['Ostler'] : {}
  return [entry['command'], entry['args']]
    .flat()
    .filter((word): word is string => typeof word === 'string' && isAbsolute(word))
}
