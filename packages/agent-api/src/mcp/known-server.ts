import { toCanonicalJson } from '../base/json.ts'
import type { ProtocolEra } from './connection.ts'
import type { Established } from './connector.ts'
import type { McpPromptDefinition, McpResource, McpServerIdentity, McpToolDefinition } from './mcp-client.ts'

/** A server as it was at its last connection. Its tools can be offered while it connects again. */
export interface KnownServer {
  readonly server: McpServerIdentity
  readonly era: ProtocolEra
  readonly tools: readonly McpToolDefinition[]
  readonly prompts: readonly McpPromptDefinition[]
  /** The folder in which an editor passed it, its name there, and the hash of its entry. */
  readonly passed?: { readonly folder: string; readonly name: string; readonly entry: string }
}

/** Decides what of a server may be offered. */
export interface DefinitionFilter {
  /** Settles before anything is offered. */
  load(): Promise<unknown>
  /** Returns the same object until what the server offers, or what is accepted of it, changes. */
  offered(server: KnownServer): KnownServer
  /** The templates of its resources, which are listed later than the rest. */
  templates(listed: readonly McpResource[]): readonly McpResource[]
  /** Called when other definitions are accepted. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void
}

export function toKnownServer({ connection, tools, prompts }: Established): KnownServer {
  return { server: connection.server, era: connection.era, tools, prompts }
}

/** True if both describe the same tool. Ignores the order of keys, and fields that only a person sees. */
export function isSameDefinition(one: McpToolDefinition, other: McpToolDefinition): boolean {
  return one === other || toCanonicalJson(withoutLooks(one)) === toCanonicalJson(withoutLooks(other))
}

/** The definition without the fields that only a person's view needs. */
export function withoutLooks<T extends object>(definition: T): Omit<T, 'icons' | 'appUri'> {
  const { icons: _icons, appUri: _appUri, ...rest } = definition as T & Record<'icons' | 'appUri', unknown>
  return rest
}
