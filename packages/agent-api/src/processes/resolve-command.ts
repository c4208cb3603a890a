import { existsSync, realpathSync, accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

/** The real path of a command's program, or the command itself if it is not found. */
export function resolveCommand(command: string, cwd: string, path: string): string {
  const found = candidatesFor(command, cwd, path).find(isProgram)
  return found === undefined ? command : realpathSync(found)
}

/**
 * False if no such file can exist, so that a start would only cost a process. Windows also tries other
 * endings.
 */
export function mayExist(command: string, cwd: string, path: string | undefined): boolean {
  const isUnclear = process.platform === 'win32' || path === undefined || command.includes('\0')
  return isUnclear || candidatesFor(command, cwd, path).some((file) => existsSync(file))
}

function candidatesFor(command: string, cwd: string, path: string): readonly string[] {
  if (/[/\\]/.test(command)) return [resolve(cwd, command)]
  return path.split(delimiter).map((directory) => join(directory, command))
}

/** True for a file that this user may run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
