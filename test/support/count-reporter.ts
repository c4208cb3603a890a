import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Prints the counts of a run in one fixed line, and keeps them in a file for scripts that continue after the tests. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      // A file that failed to load contains no tests that could fail.
      if (module.state() === 'failed' && module.errors().length > 0) counts.failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== 'pending') counts[state]++
      }
    }
    const line = `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`
    const file = join(import.meta.dirname, '../../node_modules/.cache/test-counts.txt')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${line}\n`)
    process.on('exit', () => console.log(line))
  }
}
