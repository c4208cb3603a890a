/**
 * The SDK refuses a whole answer for one malformed tool or a kind of content that it does not know. So it is given a stand-in
 * that it cannot but accept, with the real answer inside, and what is in there is read by our own, more patient, eyes.
 */
const carriedKey = 'ostler/raw'

const standIns: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'tools/list': { tools: [] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'tools/call': { content: [] },
  'prompts/get': { messages: [] },
  'resources/read': { contents: [] },
}

/** What the revision of 2026-07-28 wants in the answers that may be kept; we keep none. */
const notKept = { ttlMs: 0, cacheScope: 'private' }

type Result = Readonly<Record<string, unknown>>

export function carryRaw(method: string, result: Result): Result {
  const standIn = standIns[method]
  if (standIn === undefined || result['resultType'] === 'input_required') return result
  return {
    ...(result['resultType'] !== undefined && { resultType: result['resultType'] }),
    ...notKept,
    ...standIn,
    _meta: { [carriedKey]: result },
  }
}

export function carriedRaw(result: unknown): Result {
  const meta = (result as { _meta?: Record<string, unknown> } | null)?._meta
  return (meta?.[carriedKey] ?? {}) as Result
}
