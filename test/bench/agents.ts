import { join } from 'node:path'
import { startLineClient, type LineClient } from './line-client.ts'

export interface AgentOptions {
  readonly stateDir: string
  readonly model?: { readonly modelId: string; readonly env: Readonly<Record<string, string>> }
  readonly args?: readonly string[]
  readonly nodeArgs?: readonly string[]
}

const command = join(import.meta.dirname, '../../packages/cli/dist/ostler.js')
const floorScript = join(import.meta.dirname, 'floor-agent.mjs')

/** Starts the built command. `model` may be left out. The settings and secrets of the current user are hidden from it. */
export function startOstler({ stateDir, model, args = [], nodeArgs = [] }: AgentOptions): LineClient {
  const modelId = model?.modelId ?? 'offline'
  return startLineClient(
    process.execPath,
    [...nodeArgs, command, 'acp', '--model', modelId, '--state-dir', stateDir, ...args],
    { env: { PATH: process.env['PATH'], HOME: stateDir, ...model?.env } },
  )
}

/** Starts the smallest script that speaks ACP. */
export function startFloor(nodeArgs: readonly string[] = []): LineClient {
  return startLineClient(process.execPath, [...nodeArgs, floorScript])
}

export async function initialize(client: LineClient): Promise<void> {
  await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} })
}

export async function openSession(
  client: LineClient,
  cwd: string,
  mcpServers: readonly object[] = [],
): Promise<string> {
  const { sessionId } = await client.request('session/new', { cwd, mcpServers })
  return String(sessionId)
}

export async function prompt(client: LineClient, sessionId: string, text = 'hello'): Promise<void> {
  const { stopReason } = await client.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text }],
  })
  if (stopReason !== 'end_turn') throw new Error(`the prompt ended with ${String(stopReason)}`)
}
