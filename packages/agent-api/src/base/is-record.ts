/** Neither an array nor null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

export function pickTexts<Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  ...names: readonly Name[]
): { [N in Name]?: string } {
  const given = names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : []))
  return Object.fromEntries(given) as { [N in Name]?: string }
}

type Defined<T> = { [F in keyof T as undefined extends T[F] ? never : F]: T[F] } & {
  [F in keyof T as undefined extends T[F] ? F : never]?: Exclude<T[F], undefined>
}

export function defined<T extends object>(fields: T): { [F in keyof Defined<T>]: Defined<T>[F] } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
