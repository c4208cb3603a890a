import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { isAbsolute } from 'node:path'
import { OstlerError, type ErrorCode } from '../base/errors.ts'
import { networkFailureOf } from '../http/network-failure.ts'
import { childEnvironment } from '../processes/child-environment.ts'
import { mayExist } from '../processes/resolve-command.ts'
import { isProxyVariable } from '../redaction/proxy-address.ts'
import { isHttpServer, type McpServerConfig } from './server-config.ts'
import { noSuchProgram } from './server-process.ts'

const answerMsMax = 5_000

/**
 * Rejects with the reason why a start would certainly fail: there is no such program, or nothing listens at the address. Starts and sends
 * nothing.
 */
export async function checkServer(config: McpServerConfig, sessionCwd: string): Promise<void> {
  if (isHttpServer(config)) return checkAddress(config.url)
  if (config.type !== 'stdio') return
  const { command, env, cwd = sessionCwd } = config
  if (mayExist(command, cwd, childEnvironment(env)['PATH'])) return
  throw await explainStart(noSuchProgram(), command, cwd)
}

async function checkAddress(url: string): Promise<void> {
  // Only a request can tell what a proxy reaches.
  const hasProxy = Object.keys(childEnvironment({})).some(isProxyVariable)
  if (hasProxy || !URL.canParse(url)) return
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port: Number(port || (protocol === 'http:' ? 80 : 443)) }).unref()
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerMsMax) })
  } catch (error) {
    const reason = networkFailureOf(error)
    if (reason !== undefined) throw new OstlerError('mcp.unreachable', reason, { cause: error })
  } finally {
    socket.destroy()
  }
}

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
