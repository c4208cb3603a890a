import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join, relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { coverageDir } from './coverage-dir.ts'

/**
 * Counts in the workers what runs of our sources, file by file. The processes that tests start run the built command, and count nothing: that
 * would cost more than it shows, because almost all of it runs in a worker as well.
 */
const sources = new URL('../../packages/', import.meta.url).href
const tests = join(import.meta.dirname, '..')
const worker = globalThis as { ostlerCoverage?: Session }

const session = (worker.ostlerCoverage ??= start())
// The processes that tests start share their compiled code.
delete process.env['NODE_DISABLE_COMPILE_CACHE']

afterAll(() => {
  const path = relative(tests, expect.getState().testPath ?? '')
  // Taking the counts sets them to zero, so each file of a shared worker writes its own.
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error
    const folder = coverageDir(path.startsWith('unit/') ? 'unit' : 'integration')
    mkdirSync(folder, { recursive: true })
    const own = result.filter(({ url }) => url.startsWith(sources))
    writeFileSync(join(folder, `${path.replaceAll('/', '_')}.json`), JSON.stringify({ result: own }))
  })
})

/** Before any source is loaded, because V8 counts blocks only in what it compiles from now on. */
function start(): Session {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return session
}
