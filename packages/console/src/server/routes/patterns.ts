import { setImmediate } from 'node:timers/promises'
import { findProblems } from '@ostler/agent-api/internal'
import { z } from 'zod'
import type { CheckedPatterns, CheckPatterns } from '../../api.ts'
import { json, type Route } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'

const checksMax = 200
const checkSchema = z.strictObject({ checks: z.array(z.strictObject({ pattern: z.string(), text: z.string() })).max(checksMax) })

/** Checks texts against patterns of servers, on a matcher that takes linear time. */
export function patternRoutes(): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/api/patterns',
      async handle({ body }) {
        const { checks }: CheckPatterns = parseRequest(checkSchema, body)
        const matches: boolean[] = []
        for (const { pattern, text } of checks) {
          matches.push(findProblems({ pattern }, text).length === 0)
          // Each check is limited, but many of them together take long.
          await setImmediate()
        }
        return json({ matches } satisfies CheckedPatterns)
      },
    },
  ]
}
