import { writeFile } from 'node:fs/promises'
import { commandsPage, commandsPath } from './commands-page.ts'

/** Writes docs/commands.md anew: `node test/scripts/write-commands.ts`. A test fails while it is not what this would write. */
await writeFile(commandsPath, commandsPage())
