// Runs before and after `npm pack` and `npm publish`, in the folder of a package. `prepack` builds the package from nothing and writes the
// package.json that is published. `postpack` restores the package.json of the workspace.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { toPublishedManifest, type Manifest } from './to-published-manifest.ts'

const repository = join(import.meta.dirname, '../..')
const [kept, current] = ['package.json.workspace', 'package.json']

// An interrupted run leaves the published package.json behind.
if (existsSync(kept)) renameSync(kept, current)
if (process.argv[2] === 'prepack') {
  rmSync('dist', { recursive: true, force: true })
  execFileSync('npm', ['run', '--silent', 'build'], {
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  })
  const text = readFileSync(current, 'utf8')
  const published = toPublishedManifest(JSON.parse(text) as Manifest, readWorkspace())
  writeFileSync(kept, text)
  writeFileSync(current, `${JSON.stringify(published, null, 2)}\n`)
}

function readWorkspace() {
  const manifests = globSync('packages/*/package.json', { cwd: repository }).map(
    (path) => JSON.parse(readFileSync(join(repository, path), 'utf8')) as Manifest,
  )
  const { catalog } = parse(readFileSync(join(repository, 'pnpm-workspace.yaml'), 'utf8')) as {
    catalog: Record<string, string>
  }
  return { versions: Object.fromEntries(manifests.map(({ name, version }) => [name, version])), catalog }
}
