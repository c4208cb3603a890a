// Runs the official conformance suite: pnpm conformance [SUITE...] [--only SCENARIO]. Prints a table. The exit code is 1 if a result is
// unexpected: a failure that no entry of `expected-failures.ts` explains, or an entry whose scenario passes.
import { parseArgs } from 'node:util'
import { expectedFailures } from './expected-failures.ts'
import { builtOstler } from './ostlers.ts'
import { runScenario, type Outcome } from './run-scenario.ts'
import { loadSuite, suiteNames, type Suite, type SuiteName } from './suites.ts'

const atOnce = 2

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, verbose: { type: 'boolean' } },
})
const names = positionals.length === 0 ? suiteNames : (positionals as SuiteName[])
if (!names.every((name) => suiteNames.includes(name)))
  throw new Error(`The suites are ${suiteNames.join(', ')}.`)

let unexpected = 0
for (const name of names) unexpected += await report(await loadSuite(name))
process.exitCode = unexpected === 0 ? 0 : 1

/** Returns the number of unexpected results. */
async function report(suite: Suite): Promise<number> {
  const scenarios = suite.scenarios.filter(
    (scenario) => values.only === undefined || scenario.name.includes(values.only),
  )
  console.log(`\n${suite.name}`)
  const waiting = [...scenarios]
  const outcomes: Outcome[] = []
  let wrong = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const outcome = await runScenario(suite, next.name, builtOstler)
        outcomes.push(outcome)
        if (!print(suite, outcome)) wrong += 1
      }
    }),
  )
  const required = scenarios.filter(({ isRequired }) => isRequired)
  const passed = new Set(outcomes.filter(isClean).map(({ scenario }) => scenario))
  const passedOf = (some: readonly { readonly name: string }[]) =>
    some.filter(({ name }) => passed.has(name)).length
  const others = scenarios.filter(({ isRequired }) => !isRequired)
  console.log(
    `${suite.name}: ${passedOf(required)} of ${required.length} scenarios passed` +
      `${others.length === 0 ? '' : `, ${passedOf(others)} of ${others.length} that are not required`}; ${sum(outcomes, 'passed')} checks passed, ` +
      `${sum(outcomes, 'failed')} failed, ${sum(outcomes, 'warnings')} warnings`,
  )
  return wrong
}

/** Prints one line. Returns false if the result is unexpected. */
function print(suite: Suite, outcome: Outcome): boolean {
  const expected = expectedFailures.find(
    (entry) => entry.suite === suite.name && entry.scenario === outcome.scenario,
  )
  const isRight = isClean(outcome) === (expected === undefined)
  const mark = isClean(outcome) ? 'passed' : expected === undefined ? 'FAILED' : 'as expected'
  const counts = `${outcome.passed}/${outcome.passed + outcome.failed}${outcome.warnings === 0 ? '' : `, ${outcome.warnings} warnings`}`
  console.log(
    `  ${mark.padEnd(11)} ${counts.padEnd(20)} ${outcome.scenario}${isRight || expected === undefined ? '' : ' (its entry can go)'}`,
  )
  if (!isRight || values.verbose === true)
    for (const reason of outcome.reasons) console.log(`      ${reason.replaceAll('\n', '\n      ')}`)
  return isRight
}

function isClean({ failed, warnings }: Outcome): boolean {
  return failed === 0 && warnings === 0
}

function sum(outcomes: readonly Outcome[], count: 'passed' | 'failed' | 'warnings'): number {
  return outcomes.reduce((total, outcome) => total + outcome[count], 0)
}
