import { writeFile } from 'node:fs/promises'
import { configurationPage, configurationPath } from './configuration-page.ts'

/** Regenerates docs/configuration.md: `pnpm exec tsx test/scripts/write-configuration.ts`. A test checks that it is current. */
await writeFile(configurationPath, await configurationPage())
