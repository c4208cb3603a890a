type Defined<T> = { [F in keyof T as undefined extends T[F] ? never : F]: T[F] } & {
  [F in keyof T as undefined extends T[F] ? F : never]?: Exclude<T[F], undefined>
}

/** The fields that have a value. */
export function defined<T extends object>(fields: T): { [F in keyof Defined<T>]: Defined<T>[F] } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
