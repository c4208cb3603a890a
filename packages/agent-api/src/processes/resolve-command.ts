import { realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { isProgram } from '../base/is-program.ts'

/** The real path of a command's program, or the command itself if there is none. */
export function resolveCommand(command: string, cwd: string, path: string): string {
  const candidates = /[/\\]/.test(command)
    ? [isAbsolute(command) ? command : resolve(cwd, command)]
    : path.split(delimiter).map((directory) => join(directory, command))
  const found = candidates.find(isProgram)
  return found === undefined ? command : realpathSync(found)
}
