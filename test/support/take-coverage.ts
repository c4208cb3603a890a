import { takeCoverage } from 'node:v8'
import { afterAll } from 'vitest'

// Node writes no coverage for the workers, because a signal ends them.
afterAll(() => takeCoverage())
