import { isObject } from './is-object.ts'

/** True if two JSON values are equal. The order of keys does not count, and a key without a value counts as missing. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index]))
  if (!isObject(one) || !isObject(other)) return one === other
  return Object.keys({ ...one, ...other }).every((key) => isSameJson(one[key], other[key]))
}
