import { writeFile } from 'node:fs/promises'
import { commandsPage, commandsPath } from './commands-page.ts'

/** Regenerates docs/commands.md: `pnpm exec tsx test/scripts/write-commands.ts`. A test checks that it is current. */
await writeFile(commandsPath, await commandsPage())
