import { bareError, readCommandLine, usageError } from '../command-line/command-line.ts'
import { completionScripts } from './completion/scripts.ts'
import { completionCommand, shells } from './specs/completion.ts'

export function runCompletion(args: readonly string[]): number {
  const line = readCommandLine(completionCommand, args)
  if (line === undefined) return 0
  const [name, ...others] = line.words
  const shell = shells.find((known) => known === name)
  if (name === undefined) throw bareError(completionCommand, 'for which shell?')
  if (shell === undefined || others.length > 0) throw usageError(completionCommand, `there is no script for '${line.words.join(' ')}'`)
  process.stdout.write(completionScripts[shell])
  return 0
}
