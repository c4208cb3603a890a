import type { JsonSchema } from '../messages/tool.ts'

/** A single check of a value. */
export interface Run {
  readonly root: JsonSchema
  workLeft: number
  depth: number
  isOver: boolean
}

/** A part of the value that is checked. */
export interface Place {
  readonly value: unknown
  readonly parent?: Place
  readonly key?: string | number
  /** Cached for lists and objects only: other values are more numerous and cheap to check. */
  inside?: Map<string | number, Place>
  /** Problems found by schemas that contain other schemas. */
  checked?: Map<object, readonly string[]>
}

export function placeIn(parent: Place, key: string | number): Place {
  const value = (parent.value as Record<string | number, unknown>)[key]
  if (typeof value !== 'object' || value === null) return { value, parent, key }
  parent.inside ??= new Map()
  let place = parent.inside.get(key)
  if (place === undefined) parent.inside.set(key, (place = { value, parent, key }))
  return place
}

export function nameOf(place: Place): string {
  const path: (string | number)[] = []
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.parent) path.unshift(at.key)
  return path.length === 0 ? 'the arguments' : path.join('.')
}

/** Counts work. False if the budget is used up. */
export function spend(run: Run, work: number): boolean {
  run.workLeft -= work
  if (run.workLeft < 0) run.isOver = true
  return !run.isOver
}
