/** The fields of these names that are strings. */
export function pickTexts<Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  ...names: readonly Name[]
): { [N in Name]?: string } {
  const given = names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : []))
  return Object.fromEntries(given) as { [N in Name]?: string }
}
