// Runs the tests without a browser from the sources, and prints their coverage of these packages: `coverage.ts [VITEST ARGUMENTS]`. Every
// process records its own coverage (NODE_V8_COVERAGE), including the command's. With arguments, only some tests run, so the figures are
// lower bounds and no bar applies. `coverage.ts --read` runs none, and prints what a run with OSTLER_TEST_COVERAGE has left in coverage/raw.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readCoverage, type FileCoverage } from './read-coverage.ts'

const barPercent = 90
const packages = ['agent-api', 'acp-server', 'cli']

const projects = ['unit', 'library', 'wire', 'cli']

const chosen = process.argv.slice(2)
const isRead = chosen[0] === '--read'
const repository = join(import.meta.dirname, '../..')
const outputDir = join(repository, 'coverage')
const rawDir = join(outputDir, 'raw')

if (!isRead) run()

const report: string[] = []
for (const name of packages) {
  const files = await readCoverage(join(repository, 'packages', name, 'src'), rawDir)
  const [lines, branches] = [percent(files, 'lines'), percent(files, 'branches')]
  process.stdout.write(
    `${name}: ${chosen.length > 0 ? 'at least ' : ''}${lines.toFixed(1)} % of lines, ${branches.toFixed(1)} % of branches\n`,
  )
  if (chosen.length === 0 && (lines <= barPercent || branches <= barPercent)) {
    process.stdout.write(`${name} must have more than ${barPercent} % of both\n`)
    process.exitCode = 1
  }
  report.push(...files.flatMap(describeMissing))
}
writeFileSync(join(outputDir, 'not-covered.txt'), `${report.join('\n')}\n`)
rmSync(rawDir, { recursive: true })
process.stdout.write('The lines and branches that did not run are in coverage/not-covered.txt\n')

function run(): void {
  rmSync(outputDir, { recursive: true, force: true })
  mkdirSync(rawDir, { recursive: true })
  // Failed tests are ignored here: `pnpm test` runs them on the command as it is shipped.
  spawnSync(join(repository, 'node_modules/.bin/vitest'), ['run', ...projects.flatMap((name) => ['--project', name]), ...chosen], {
    cwd: repository,
    stdio: 'inherit',
    env: { ...process.env, NODE_V8_COVERAGE: rawDir, OSTLER_TEST_FROM_SOURCES: '1' },
  })
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
