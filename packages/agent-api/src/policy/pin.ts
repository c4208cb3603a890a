import { createHash } from 'node:crypto'
import type { McpServerConfig } from '../mcp/server-config.ts'
import type { Tool } from '../tools/tool.ts'

/** What an approval is bound to: two SHA-256, one of what the tool says it is, one of what runs it. */
export interface Pin {
  readonly definition: string
  readonly identity: string
}

export function pinOf(tool: Tool, server: ServerIdentity | undefined): Pin {
  const { title, description, inputSchema, annotations } = tool
  return {
    definition: hashCanonical({ tool: tool.ref.tool, title, description, inputSchema, annotations }),
    identity: server === undefined ? 'local' : hashCanonical(server),
  }
}

/** What a server is, as far as its configuration says: which program with which words, or which address. Values of variables and headers are secrets and not in it. */
export type ServerIdentity =
  | {
      readonly type: 'stdio'
      readonly command: string
      readonly path: string
      readonly args: readonly string[]
      readonly cwd: string
      readonly env: readonly string[]
    }
  | { readonly type: 'http' | 'sse'; readonly url: string; readonly headers: readonly string[] }

export function identityOf(config: McpServerConfig, cwd: string, resolvedPath: string): ServerIdentity {
  switch (config.type) {
    case 'stdio':
      return {
        type: config.type,
        command: config.command,
        path: resolvedPath,
        args: config.args,
        cwd: config.cwd ?? cwd,
        env: Object.keys(config.env).toSorted(),
      }
    case 'http':
    case 'sse':
      return {
        type: config.type,
        url: config.url,
        headers: Object.keys(config.headers)
          .map((name) => name.toLowerCase())
          .toSorted(),
      }
  }
}

/** The hash of a JSON value whatever the order of its keys; what JSON does not write, an unset field, does not count. */
export function hashCanonical(value: unknown): string {
  return createHash('sha256').update(toCanonicalJson(value)).digest('hex')
}

function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
