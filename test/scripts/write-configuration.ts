import { writeFile } from 'node:fs/promises'
import { configurationPage, configurationPath } from './configuration-page.ts'

/** Writes docs/configuration.md anew: `node test/scripts/write-configuration.ts`. A test fails while it is not what this would write. */
await writeFile(configurationPath, await configurationPage())
