import { editDistance } from '../../base/did-you-mean.ts'

const distanceMax = 2

/** Finds names that start with the given one or resemble it, nearest first. */
export function nearNames<T>(name: string, items: readonly T[], nameOf: (item: T) => string): T[] {
  const wanted = plain(name)
  if (wanted === '') return []
  return items
    .map((item) => ({ item, distance: distanceTo(wanted, plain(nameOf(item))) }))
    .filter(({ distance }) => distance <= distanceMax)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ item }) => item)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function distanceTo(wanted: string, name: string): number {
  if (name.startsWith(wanted)) return 0
  const distance = Math.abs(name.length - wanted.length) > distanceMax ? Infinity : editDistance(wanted, name)
  // In a very short name, two letters are most of it.
  return distance <= Math.max(wanted.length, name.length) / 2 ? distance : Infinity
}
