import { takeCoverage } from 'node:v8'
import { afterAll } from 'vitest'

// The workers are ended by a signal, and then Node writes nothing.
afterAll(() => takeCoverage())
