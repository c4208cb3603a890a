import type { CheckedPatterns } from '../../api.ts'
import { request } from '../api/client.ts'
import type { FormIssue, PatternCheck } from './entry.ts'

/**
 * Checks texts against patterns of a server. The console's server does it, because a browser's matcher can take forever for a pattern that
 * was made for it. If the check fails, the call itself still checks them.
 */
export async function checkPatterns(checks: readonly PatternCheck[]): Promise<readonly FormIssue[]> {
  if (checks.length === 0) return []
  const body = { checks: checks.map(({ pattern, text }) => ({ pattern, text })) }
  try {
    const { matches } = await request<CheckedPatterns>('/api/patterns', { method: 'POST', body })
    return checks.flatMap(({ path, pattern }, index) => (matches[index] === false ? [{ path, message: `Must match ${pattern}` }] : []))
  } catch {
    return []
  }
}
