import { withoutLooks, type KnownServer } from '../mcp/known-server.ts'

export type Definition = Readonly<Record<string, unknown>>

/** The definitions of a server by their keys: `tool:NAME`, `prompt:NAME`, `instructions`. */
export type Definitions = Readonly<Record<string, Definition>>

/** The name under which a definition is compared and locked. */
export function definitionKey(
  kind: 'tool' | 'prompt' | 'template',
  { name }: { readonly name: string },
): string {
  return `${kind}:${name}`
}

export const instructionsKey = 'instructions'

export type Lists = Pick<KnownServer, 'tools' | 'prompts'> & {
  readonly server: Pick<KnownServer['server'], 'instructions'>
}

/** The canonical definitions of a server: all that a model or a person reads of them, and no icons. */
export function definitionsOf({ server: { instructions = '' }, tools, prompts }: Lists): Definitions {
  return Object.fromEntries<Definition>([
    ...tools.map((tool) => [definitionKey('tool', tool), withoutLooks(tool)] as const),
    ...prompts.map((prompt) => [definitionKey('prompt', prompt), withoutLooks(prompt)] as const),
    ...(instructions.trim() === '' ? [] : [[instructionsKey, { instructions }] as const]),
  ])
}
