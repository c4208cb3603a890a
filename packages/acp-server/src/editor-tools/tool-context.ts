import { errorResult, type ToolArguments, type ToolLocation, type ToolResult } from '@ostler/agent-api'
import { messageOf } from '@ostler/agent-api/internal'
import { resolve } from 'node:path'
import type { AcpClient } from '../acp-client.ts'
import type { EditorCapabilities } from '../from-acp-client-capabilities.ts'
import { boundedPath } from './bounded-path.ts'

/** The dependencies of a tool that works through the editor. */
export interface EditorToolOptions {
  readonly client: AcpClient
  readonly sessionId: string
  readonly capabilities: EditorCapabilities
  /** The session's directories. Relative paths start at the first. */
  readonly roots: readonly string[]
}

/**
 * Runs a tool on a path within the session's directories. A path outside them, or a failure in the editor, becomes an error result for the
 * model.
 */
export async function withPath(
  path: unknown,
  { roots }: EditorToolOptions,
  run: (path: string) => Promise<ToolResult>,
): Promise<ToolResult> {
  return orErrorResult(async () => {
    const bounded = await boundedPath(String(path), roots)
    if (bounded !== undefined) return run(bounded)
    return errorResult(`The path ${JSON.stringify(path)} is outside the directories of this session: ${roots.join(', ')}`)
  })
}

export async function orErrorResult(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run()
  } catch (error) {
    return errorResult(`The editor reported: ${messageOf(error)}`)
  }
}

export function pathLocations({ roots }: EditorToolOptions): (args: ToolArguments) => readonly ToolLocation[] {
  return ({ path, line }) => {
    if (typeof path !== 'string') return []
    const absolute = resolve(roots[0] ?? '/', path)
    return [typeof line === 'number' ? { path: absolute, line } : { path: absolute }]
  }
}
