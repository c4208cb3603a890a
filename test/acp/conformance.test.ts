import { expect, test } from 'vitest'
import { ostlerInProcess } from '../conformance/ostlers.ts'
import { runScenario } from '../conformance/run-scenario.ts'
import { loadSuite, type SuiteName } from '../conformance/suites.ts'

/** A scenario of each kind. `pnpm conformance` runs them all. */
const scenarios: readonly (readonly [SuiteName, string])[] = [
  ['2025-11-25', 'elicitation-sep1034-client-defaults'],
  ['2025-11-25', 'sse-retry'],
  ['2026-07-28', 'sep-2322-client-request-state'],
  ['2026-07-28', 'http-custom-headers'],
  ['2026-07-28', 'auth/basic-cimd'],
  ['2026-07-28', 'auth/scope-step-up'],
  ['2026-07-28', 'auth/dpop-nonce'],
  ['2026-07-28', 'auth/client-credentials-jwt'],
  ['2026-07-28', 'auth/enterprise-managed-authorization'],
  ['release', 'auth/2025-03-26-oauth-endpoint-fallback'],
]

test.for(scenarios)('the official suite passes Ostler in %s: %s', async ([suite, scenario]) => {
  const outcome = await runScenario(await loadSuite(suite), scenario, ostlerInProcess)
  expect(outcome).toMatchObject({ failed: 0, warnings: 0, reasons: [] })
  expect(outcome.passed).toBeGreaterThan(0)
})

test('the suites have the scenarios that the figures are about', async () => {
  const suites = await Promise.all((['release', '2026-07-28', '2025-11-25'] as const).map(loadSuite))
  expect(suites.map(({ scenarios: all }) => all.filter(({ isRequired }) => isRequired).length)).toEqual([
    26, 32, 18,
  ])
})
