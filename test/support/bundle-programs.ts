import { createHash } from 'node:crypto'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { bundlesVariable, everythingScript, programPath } from './program-path.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/test-programs')

/** Servers that load an SDK. They change only with their own text and the lockfile. */
const servers = ['legacy-sdk-server', 'logging-server', 'modern-server', 'reading-server']
/** Programs that load our sources. */
const programs = ['history/writer', 'history/holder', 'history/opener', 'secret-store/set-secrets', 'mcp-owner']

/** Bundles the programs that tests start most, because one file starts in a third of the time. A run for coverage uses the sources. */
export default async function bundlePrograms(): Promise<void> {
  if (process.env['NODE_V8_COVERAGE'] !== undefined || process.env[bundlesVariable] !== undefined) return
  await bundle('own', Object.fromEntries(programs.map((name) => [name, programPath(`${name}.ts`)])))
  await bundleServers()
  process.env[bundlesVariable] = folder
}

async function bundleServers(): Promise<void> {
  const everything = everythingScript()
  const paths = servers.map((name) => programPath(`servers/${name}.mjs`))
  const hash = createHash('sha256')
  for (const path of [...paths, join(root, 'pnpm-lock.yaml'), import.meta.filename]) hash.update(readFileSync(path))
  const key = hash.digest('hex')
  const keyFile = join(folder, 'servers.key')
  if (existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key) return
  rmSync(keyFile, { force: true })
  await bundle('servers', {
    ...Object.fromEntries(servers.map((name, index) => [`servers/${name}`, paths[index] ?? ''])),
    'servers/everything': everything,
  })
  // It reads them from a folder beside that of its code.
  cpSync(join(dirname(everything), 'docs'), join(folder, 'docs'), { recursive: true })
  writeFileSync(keyFile, key)
}

async function bundle(what: string, input: Record<string, string>): Promise<void> {
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  await build.write({ dir: folder, format: 'esm', minify: true, entryFileNames: '[name].mjs', chunkFileNames: `${what}-chunks/[name].mjs` })
}
