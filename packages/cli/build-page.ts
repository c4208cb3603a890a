import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const consoleDir = join(import.meta.dirname, '../console')
const pageDir = join(import.meta.dirname, 'dist/page')
const stampFile = join(import.meta.dirname, '../../node_modules/.cache/ostler-page')
const sources = ['src/page/**/*.*', 'src/api.ts', 'vite.config.ts', 'package.json']

/** Builds the console's page next to the command. Most builds find it up to date: every test run and `pnpm start` begins with one. */
export function buildPage(): void {
  const stamp = stampOfSources()
  if (
    existsSync(join(pageDir, 'index.html')) &&
    existsSync(stampFile) &&
    readFileSync(stampFile, 'utf8') === stamp
  )
    return
  const [fresh, old] = [`${pageDir}.${process.pid}.new`, `${pageDir}.${process.pid}.old`]
  try {
    execFileSync(
      join(consoleDir, 'node_modules/.bin/vite'),
      ['build', '--logLevel', 'warn', '--emptyOutDir', '--outDir', fresh],
      {
        cwd: consoleDir,
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    )
    // Replace it in one step, because a person may be reading the page.
    if (existsSync(pageDir)) renameSync(pageDir, old)
    renameSync(fresh, pageDir)
  } finally {
    for (const directory of [fresh, old]) rmSync(directory, { recursive: true, force: true })
  }
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, stamp)
}

function stampOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(sources, { cwd: consoleDir }).toSorted()
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(consoleDir, file)))
      .update('\0')
  return hash.digest('hex')
}
