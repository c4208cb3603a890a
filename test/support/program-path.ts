import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The variable with the folder of this run's bundles. */
export const bundlesVariable = 'OSTLER_TEST_BUNDLES'

/** The path of a program below `test`, or of its bundle if this run has made one. */
export function programPath(path: string): string {
  return bundleOf(path) ?? join(import.meta.dirname, '..', path)
}

/** The script of a real server with many kinds of tools. Its bundle is the same code, and starts in a third of the time. */
export function everythingScript(): string {
  return (
    bundleOf('everything.mjs') ??
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
  )
}

/** The bundle of that name in this run. */
export function bundleOf(path: string): string | undefined {
  const folder = process.env[bundlesVariable]
  if (folder === undefined) return undefined
  const bundle = join(folder, path.replace(/\.ts$/, '.mjs'))
  return existsSync(bundle) ? bundle : undefined
}
