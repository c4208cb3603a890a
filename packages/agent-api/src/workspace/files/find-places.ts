import { giveWay } from '../../base/in-slices.ts'

/** Places above this number are not counted. Nobody changes that many at once. */
export const placesMax = 100_000
/** With fewer texts, searching for each alone is faster. */
const togetherMin = 32
/** Shorter texts are searched for alone. */
const windowMin = 8
const windowMax = 32

/** The places of each text. Many texts are found in one pass, so that the time hardly depends on their number. */
export async function findPlaces(
  text: string,
  wanted: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const unique = [...new Set(wanted)]
  const long = unique.filter(({ length }) => length >= windowMin)
  const together = long.length >= togetherMin ? await findTogether(text, long, signal) : new Map<string, number[]>()
  const places = new Map<string, readonly number[]>()
  for (const each of unique) {
    signal?.throwIfAborted()
    await giveWay()
    places.set(each, apart(together.get(each) ?? findAlone(text, each), each.length))
  }
  return places
}

function findAlone(text: string, wanted: string): number[] {
  const places: number[] = []
  if (wanted === '') return places
  let next = text.indexOf(wanted)
  while (next !== -1 && places.length <= placesMax) {
    places.push(next)
    // A second place that overlaps the first shows that the text is not unique.
    next = text.indexOf(wanted, places.length === 1 ? next + 1 : next + wanted.length)
  }
  return places
}

/** Number of comparisons between two checks of the time. */
const stepsPerLook = 20_000

/** Compares the hash of a moving window with those of the texts' beginnings. */
async function findTogether(text: string, wanted: readonly string[], signal?: AbortSignal): Promise<Map<string, number[]>> {
  const window = Math.min(windowMax, ...wanted.map(({ length }) => length))
  const found = new Map(wanted.map((each): [string, number[]] => [each, []]))
  const byHash = Map.groupBy(wanted, (each) => hashOf(each, window))
  const isUsed = new Uint8Array(1 << 16)
  for (const hash of byHash.keys()) isUsed[hash & 0xffff] = 1
  const leaving = powerOf(window)
  let hash = hashOf(text, window)
  let steps = 0
  for (let start = 0; start + window <= text.length; start++) {
    if (isUsed[hash & 0xffff] === 1) {
      for (const each of byHash.get(hash) ?? []) {
        steps++
        const places = found.get(each)
        if (places !== undefined && places.length <= placesMax && text.startsWith(each, start)) places.push(start)
      }
    }
    if (++steps >= stepsPerLook) {
      steps = 0
      signal?.throwIfAborted()
      await giveWay()
    }
    hash = (Math.imul(hash, base) + text.charCodeAt(start + window) - Math.imul(leaving, text.charCodeAt(start))) | 0
  }
  return found
}

const base = 0x01000193

function hashOf(text: string, length: number): number {
  let hash = 0
  for (let index = 0; index < length; index++) hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0
  return hash
}

function powerOf(exponent: number): number {
  let power = 1
  for (let count = 0; count < exponent; count++) power = Math.imul(power, base)
  return power
}

/** Leaves out places that overlap the previous one, unless only one would be left. */
function apart(places: readonly number[], length: number): readonly number[] {
  const kept: number[] = []
  for (const place of places) if (kept.length === 0 || place >= (kept.at(-1) ?? 0) + length) kept.push(place)
  return kept.length === 1 ? places.slice(0, 2) : kept
}
