// The command straight from its sources, for a run that measures coverage. Compiled code is kept between the many processes of that run.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/sources'))
await import('../../packages/cli/src/ostler.ts')
