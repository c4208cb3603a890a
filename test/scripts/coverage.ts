// Prints the coverage of the sources, and fails below its bars: `coverage.ts [VITEST ARGUMENTS]` runs the tests first, `coverage.ts --read` reads
// what a run with OSTLER_TEST_COVERAGE has left. With arguments, only some tests run, so no bar applies.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { readCoverage, type FileCoverage } from './read-coverage.ts'

/** Of the lines of modules that have unit tests of their own, by unit tests alone. */
const unitPercentMin = 90
/** Of all lines, by the tests over the wire, with servers, of commands and of the console alone. */
const integrationPercentMin = 80
/** Of all lines, and of all branches, by all tests. */
const [linesPercentMin, branchesPercentMin] = [90, 80]

const repository = join(import.meta.dirname, '../..')
const outputDir = join(repository, 'coverage')
const rawDir = join(outputDir, 'raw')
const [unitDir, integrationDir] = [join(rawDir, 'unit'), join(rawDir, 'integration')]

/** The sources and the unit tests of each package. The console's page is left out: it runs in a browser. */
const packages = [
  {
    name: 'agent-api',
    sources: 'packages/agent-api/src',
    unitTests: 'test/unit/!(acp-server|cli|console|workbench)',
  },
  { name: 'workbench', sources: 'packages/workbench/src', unitTests: 'test/unit/workbench' },
  { name: 'acp-server', sources: 'packages/acp-server/src', unitTests: 'test/unit/acp-server' },
  { name: 'cli', sources: 'packages/cli/src', unitTests: 'test/unit/cli' },
  { name: 'console/server', sources: 'packages/console/src/server', unitTests: 'test/unit/console' },
]

const chosen = process.argv.slice(2)
const isRead = chosen[0] === '--read'
const isWhole = isRead || chosen.length === 0

if (!isRead) run()

const report: string[] = []
const short: string[] = []
for (const { name, sources, unitTests } of packages) {
  const read = (...folders: string[]) => readCoverage(join(repository, sources), folders)
  const all = await read(unitDir, integrationDir)
  const tests = globSync(`${unitTests}/**/*.test.ts`, { cwd: repository })
  const withUnitTests = (await read(unitDir)).filter(({ path }) => tests.some((test) => isTestOf(test, path)))
  const figures = [
    {
      what: 'lines of modules with unit tests, by these',
      percent: percent(withUnitTests, 'lines'),
      min: unitPercentMin,
    },
    {
      what: 'lines by integration tests',
      percent: percent(await read(integrationDir), 'lines'),
      min: integrationPercentMin,
    },
    { what: 'lines by all tests', percent: percent(all, 'lines'), min: linesPercentMin },
    { what: 'branches by all tests', percent: percent(all, 'branches'), min: branchesPercentMin },
  ]
  process.stdout.write(
    `${name}: ${figures.map(({ what, percent }) => `${percent.toFixed(1)} % of ${what}`).join(', ')}\n`,
  )
  short.push(
    ...figures
      .filter(({ percent, min }) => percent < min)
      .map(({ what, min }) => `${name} must have ${min} % of ${what}`),
  )
  report.push(...all.flatMap(describeMissing))
}
writeFileSync(join(outputDir, 'not-covered.txt'), `${report.join('\n')}\n`)
rmSync(rawDir, { recursive: true })
process.stdout.write('The lines and branches that did not run are in coverage/not-covered.txt\n')
if (isWhole && short.length > 0) {
  process.stdout.write(`${short.join('\n')}\n`)
  process.exitCode = 1
}

function run(): void {
  rmSync(outputDir, { recursive: true, force: true })
  // Failed tests are ignored here: this run is about coverage.
  spawnSync(join(repository, 'node_modules/.bin/vitest'), ['run', ...chosen], {
    cwd: repository,
    stdio: 'inherit',
    env: { ...process.env, OSTLER_TEST_COVERAGE: rawDir },
  })
}

/** A unit test has the name of its module, and imports it. */
function isTestOf(test: string, path: string): boolean {
  if (basename(test, '.test.ts') !== basename(path, '.ts')) return false
  return readFileSync(join(repository, test), 'utf8').includes(`${relative(repository, path)}'`)
}

function percent(files: readonly FileCoverage[], what: 'lines' | 'branches'): number {
  const covered = files.reduce((sum, file) => sum + file[what].covered, 0)
  const missing = files.reduce((sum, file) => sum + file[what].missing.length, 0)
  return (100 * covered) / Math.max(1, covered + missing)
}

function describeMissing({ path, lines, branches }: FileCoverage): string[] {
  const parts = [
    lines.missing.length > 0 && `lines ${lines.missing.join(', ')}`,
    branches.missing.length > 0 && `branches at ${branches.missing.join(', ')}`,
  ]
  const missing = parts.filter((part) => part !== false)
  return missing.length === 0 ? [] : [`${relative(repository, path)}: ${missing.join('; ')}`]
}
