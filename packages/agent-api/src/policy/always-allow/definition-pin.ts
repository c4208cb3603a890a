import type { Sandbox } from '../../fence/fence.ts'
import { loadsCode } from '../../base/loads-code.ts'
import { hashText } from '../../base/hash-text.ts'
import { toCanonicalJson } from '../../base/json.ts'
import { withoutSecrets } from '../../mcp/secrets-of.ts'
import type { McpServerConfig } from '../../mcp/server-config.ts'
import type { Tool } from '../../messages/tool.ts'
import type { ToolDefinition } from './definition-text.ts'

/**
 * The state of a tool that an approval is bound to: SHA-256 hashes of its definition and of its server's identity. The hashes of the parts
 * only serve to describe changes.
 */
export interface Pin {
  readonly definition: string
  readonly identity: string
  readonly parts: Readonly<Record<string, string>>
}

export function pinOf(tool: Tool, server: ServerIdentity): Pin {
  return toPin({ ...tool, name: tool.ref.tool }, toServerPin(server))
}

export type ServerPin = Pick<Pin, 'identity' | 'parts'>

export function toServerPin(server: ServerIdentity): ServerPin {
  return { identity: hashCanonical(server), parts: hashParts(server) }
}

export function toPin(tool: NamedDefinition, { identity, parts }: ServerPin): Pin {
  const definition = definitionOf(tool)
  return { definition: hashCanonical(definition), identity, parts: { ...parts, ...hashParts(definition) } }
}

function hashParts(value: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(value).map(([part, own]) => [part, hashCanonical(own)]))
}

export type NamedDefinition = ToolDefinition & { readonly name: string }

function definitionOf({ name: tool, title, description, inputSchema, annotations }: NamedDefinition) {
  return { tool, title, description, inputSchema, annotations }
}

export function isSamePin(one: Pin, other: Pin): boolean {
  return one.definition === other.definition && one.identity === other.identity
}

const definitionNames = {
  title: 'its title',
  description: 'its description',
  inputSchema: 'its parameters',
  annotations: 'its annotations',
}

const partNames: Readonly<Record<string, string>> = {
  ...definitionNames,
  type: "its server's transport",
  command: "its server's command",
  path: "the program its server's command resolves to",
  args: "its server's arguments",
  cwd: "its server's working directory",
  env: "its server's variables",
  sandbox: "its server's sandbox",
  url: "its server's address",
  headers: "the names of its server's headers",
  name: "its server's name",
  serverId: "its server's id in the editor",
  editor: 'the editor that provides its server',
}

export function nameOfPart(part: string): string {
  return partNames[part] ?? part
}

const shownHashCharsMax = 12

/** Describes a pin to a person. A grant becomes invalid when one of these hashes changes. */
export function describePin({ parts }: Pin): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parts).map(([part, hash]) => [nameOfPart(part), hash.slice(0, shownHashCharsMax)]),
  )
}

/** Describes what has changed, for the person who is asked again. */
export function describePinChange(before: Pin, now: Pin): string[] {
  const parts = [...new Set([...Object.keys(before.parts), ...Object.keys(now.parts)])]
  const changed = parts.filter((part) => before.parts[part] !== now.parts[part])
  // The parts of servers of different kinds cannot be compared.
  if (changed.includes('type'))
    return [...changed.filter((part) => part in definitionNames).map(nameOfPart), 'its server']
  return changed.map(nameOfPart)
}

/**
 * A server's identity according to its configuration: its program and arguments, or its address. Values of
 * variables and headers are secrets and not included, except the value of a variable that loads code, without
 * the secrets in it.
 */
export type ServerIdentity =
  | {
      readonly type: 'stdio'
      readonly command: string
      readonly path: string
      readonly args: readonly string[]
      readonly cwd: string
      readonly env: readonly string[]
      /** Omitted without one, so that pins of earlier versions stay valid. */
      readonly sandbox?: Sandbox
    }
  | { readonly type: 'http' | 'sse'; readonly url: string; readonly headers: readonly string[] }
  | { readonly type: 'acp'; readonly name: string; readonly serverId: string; readonly editor: string }
  | { readonly type: 'local' }

/**
 * `path` is the program's real path, which depends on PATH. `cwd` is used if the configuration has none. It is undefined for a server of
 * the agent, which starts in the home directory.
 */
export function identityOf(config: McpServerConfig, cwd: string | undefined, path: string): ServerIdentity {
  switch (config.type) {
    case 'stdio':
      return {
        type: config.type,
        command: config.command,
        path,
        args: config.args,
        cwd: config.cwd ?? cwd ?? '',
        env: Object.entries(config.env)
          .map(([name, value]) => (loadsCode(name) ? `${name}=${withoutSecrets(name, value)}` : name))
          .toSorted(),
        ...(config.sandbox !== undefined && config.sandbox !== 'off' && { sandbox: config.sandbox }),
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
    case 'acp':
      return { type: config.type, name: config.name, serverId: config.serverId, editor: config.editor }
  }
}

/** Hashes a JSON value, regardless of key order. */
export function hashCanonical(value: unknown): string {
  return hashText(toCanonicalJson(value))
}
