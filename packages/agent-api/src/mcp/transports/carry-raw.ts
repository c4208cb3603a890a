/**
 * The SDK rejects a whole answer because of one malformed tool or an unknown kind of content. So it is given a minimal valid answer that
 * contains the real one, which is then parsed more leniently.
 */
const carriedKey = 'ostler/raw'

const standIns: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'tools/list': { tools: [] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
  'tools/call': { content: [] },
  'prompts/get': { messages: [] },
  'resources/read': { contents: [] },
  'tasks/get': {},
  'tasks/result': {},
  'tasks/cancel': {},
  'completion/complete': { completion: { values: [] } },
}

/** Caching fields that revision 2026-07-28 requires. We cache nothing. */
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
