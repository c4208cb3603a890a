import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { messageOf } from '@ostler/agent-api/internal'
import { findHome } from '@ostler/agent-api/manage'
import type { Io } from '../../terminal/io.ts'
import { chooseFile, editors, type Editor } from '../editor/editors.ts'
import { planRegistration } from '../editor/plan-registration.ts'
import { readSettings } from '../editor/write-registration.ts'
import type { Finding } from './finding.ts'

/** The editors with settings on this machine, and whether this installation is registered in them. */
export function examineEditors(io: Pick<Io, 'env' | 'self'>): readonly Finding[] {
  const home = findHome(io.env)
  if (home === undefined)
    return [{ what: 'Editors', state: 'warning', found: 'not examined, because your home directory is not known', advice: 'Set HOME.' }]
  const at = { platform: platform(), home, env: io.env }
  const found = editors.flatMap((editor) => {
    const file = chooseFile(editor, at)
    return existsSync(file) || existsSync(dirname(file)) ? [examine(io, editor, file)] : []
  })
  if (found.length > 0) return found
  return [
    {
      what: 'Editors',
      state: 'note',
      found: 'no settings of a known editor',
      advice: '`ostler editor --help` lists the editors; `ostler chat` needs none.',
    },
  ]
}

function examine({ self }: Pick<Io, 'self'>, { name, target }: Editor, file: string): Finding {
  const what = `Editor ${name}`
  const advice = `\`ostler editor ${name} --write\` registers Ostler.`
  try {
    const before = readSettings(file)
    const after = planRegistration({ target, commandLine: [...self, 'acp'] }, file, before)
    if (before === after) return { what, state: 'ok', found: `registered in ${file}` }
    const isOther = before !== undefined && /\bostler\b/i.test(before)
    const gone = isOther ? missingProgram(before, target) : undefined
    if (gone !== undefined) return { what, state: 'warning', found: `${file} names a file that does not exist: ${gone}`, advice }
    return { what, state: 'note', found: isOther ? `${file} names Ostler, but not this installation` : 'not registered', advice }
  } catch (error) {
    return { what, state: 'warning', found: messageOf(error), advice: 'Fix the file, or add the text of `ostler editor` by hand.' }
  }
}

/** A program or file of Ostler's entry that is not there, so the editor cannot start it. */
function missingProgram(settings: string, { kind }: Editor['target']): string | undefined {
  const [entry = ''] = kind === 'file' ? [settings] : (/"ostler"\s*:\s*\{[^}]*/i.exec(settings) ?? [])
  const paths = [...entry.matchAll(/"((?:\/|[A-Za-z]:[\\/])(?:[^"\\\n]|\\.)*)"/g)].map(([, path = '']) => path.replaceAll('\\\\', '\\'))
  return paths.find((path) => !existsSync(path))
}
