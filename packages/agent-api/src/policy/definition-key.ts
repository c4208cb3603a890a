/** The name under which a definition is compared and locked. */
export function definitionKey(kind: 'tool' | 'prompt', { name }: { readonly name: string }): string {
  return `${kind}:${name}`
}
