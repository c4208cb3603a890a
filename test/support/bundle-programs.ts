import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { installedScriptOf } from '../conformance/suites.ts'
import { bundlesVariable, everythingScript, programPath } from './program-path.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/test-programs')
const keyFile = join(folder, 'key')

/** Programs that load our sources, below `test` and without their ending. */
const ownPrograms = [
  'fixtures/history/writer',
  'fixtures/history/holder',
  'fixtures/history/opener',
  'fixtures/secret-store/set-secrets',
  'fixtures/mcp-owner',
]
/** Servers that load an SDK. */
const servers = ['legacy-sdk-server', 'logging-server', 'modern-server', 'reading-server'].map(
  (name) => `fixtures/servers/${name}`,
)

/** Bundles the programs that tests start most, because one file starts in a third of the time. */
export default async function bundlePrograms(): Promise<void> {
  if (process.env[bundlesVariable] !== undefined) return
  await bundle('own', toPaths(ownPrograms, '.ts'))
  await bundleOthers()
  process.env[bundlesVariable] = folder
}

/** Programs of others change only with the lockfile, and these servers with their own text. So their bundles are kept. */
async function bundleOthers(): Promise<void> {
  const own = toPaths(servers, '.mjs')
  const hash = createHash('sha256')
  for (const path of [...Object.values(own), join(root, 'pnpm-lock.yaml'), import.meta.filename])
    hash.update(readFileSync(path))
  const key = hash.digest('hex')
  if (existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key) return
  rmSync(keyFile, { force: true })
  await bundle('others', { ...own, everything: everythingScript() })
  for (const name of ['conformance-release', 'conformance-preview'] as const)
    await bundle(name, { [name]: installedScriptOf(name) })
  writeFileSync(keyFile, key)
}

function toPaths(programs: readonly string[], ending: string): Record<string, string> {
  return Object.fromEntries(programs.map((program) => [program, programPath(`${program}${ending}`)]))
}

async function bundle(what: string, input: Record<string, string>): Promise<void> {
  // A program that is only started needs no packages of ours: what loads them runs in the process of a test.
  const build = await rolldown({
    input,
    platform: 'node',
    external: /^@ostler\//,
    plugins: [keepPlaces],
    logLevel: 'silent',
  })
  await build.write({
    dir: folder,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: `${what}-chunks/[name].mjs`,
  })
}

/** A program finds its files where they are, although the bundle is in another folder. */
const keepPlaces = {
  name: 'keep-places',
  transform: (code: string, id: string) =>
    code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
}
