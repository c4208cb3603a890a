// Apart from the YAML parser, which most files that name a field do not need.

export type ConfigPath = readonly (string | number)[]

/** True for the outer field itself, and for every field in it. */
export function isWithin(path: ConfigPath, outer: ConfigPath): boolean {
  return outer.every((key, index) => String(key) === String(path[index]))
}
