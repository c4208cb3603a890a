import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { OstlerError, type ErrorCode } from '../base/errors.ts'

/** Explains why a program could not be started. Undefined for any other error. */
export async function explainStart(
  error: unknown,
  command: string,
  cwd: string,
): Promise<OstlerError | undefined> {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  const because = (reason: ErrorCode, message: string) => new OstlerError(reason, message, { cause: error })
  if (code === 'ERR_INVALID_ARG_VALUE' || code === 'ERR_INVALID_ARG_TYPE')
    return because('mcp.invalid_command', 'the command, an argument or a variable contains a NUL character')
  if (code === undefined || syscall?.startsWith('spawn') !== true) return undefined
  if (code === 'EACCES') return because('mcp.not_executable', `permission denied: ${command}`)
  if (code !== 'ENOENT' && code !== 'ENOTDIR')
    return because('mcp.start_failed', `could not be started (${code})`)
  const isDirectory = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isDirectory) return because('mcp.invalid_cwd', `the working directory does not exist: ${cwd}`)
  const place = /[/\\]/.test(command) && !isAbsolute(command) ? ` in ${cwd}` : ''
  return because('mcp.command_not_found', `command not found: ${command}${place}`)
}
