import { readFile, writeFile } from 'node:fs/promises'
import { libraryApiPage, libraryApiPath, libraryPath, withExamples } from './library-pages.ts'

/** Regenerates docs/library-api.md, and the examples in docs/library.md: `pnpm exec tsx test/scripts/write-library.ts`. A test checks both. */
await writeFile(libraryApiPath, await libraryApiPage())
await writeFile(libraryPath, await withExamples(await readFile(libraryPath, 'utf8')))
