/** The name under which a definition is compared and locked. */
export function definitionKey(
  kind: 'tool' | 'prompt' | 'template',
  { name }: { readonly name: string },
): string {
  return `${kind}:${name}`
}
