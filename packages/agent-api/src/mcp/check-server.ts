import { once } from 'node:events'
import { connect } from 'node:net'
import { OstlerError } from '../base/errors.ts'
import { networkFailureOf } from '../http/network-failure.ts'
import { childEnvironment } from '../processes/child-environment.ts'
import { mayExist } from '../processes/resolve-command.ts'
import { isProxyVariable } from '../redaction/proxy-address.ts'
import { explainStart } from './explain-start.ts'
import {
  isHttpServer,
  type HttpServerConfig,
  type McpServerConfig,
  type StdioServerConfig,
} from './server-config.ts'
import { noSuchProgram } from './server-process.ts'

const answerMsMax = 5_000

/**
 * Rejects with the reason why a start would certainly fail: there is no such program, or nothing listens at the address. Starts and sends
 * nothing. `cwd` is where a local server starts, unless it says otherwise.
 */
export async function checkServer(config: McpServerConfig, cwd: string): Promise<void> {
  if (isHttpServer(config)) await checkAddress(config)
  if (config.type === 'stdio') await checkCommand(config, config.cwd ?? cwd)
}

async function checkCommand({ command, env }: StdioServerConfig, cwd: string): Promise<void> {
  if (mayExist(command, cwd, childEnvironment(env)['PATH'])) return
  throw await explainStart(noSuchProgram(), command, cwd)
}

async function checkAddress({ url }: HttpServerConfig): Promise<void> {
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
