import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import type { Manifest, PackedFile } from './src/single/unpack.ts'

/**
 * Packs the built command, its page and its optional packages for this machine into one executable, with Node's own tool. The first argument
 * is its path.
 */
const output = resolve(
  process.argv[2] ??
    join(import.meta.dirname, 'single', process.platform === 'win32' ? 'ostler.exe' : 'ostler'),
)
const work = `${output}.build`
/** Node 25.5 has the first `--build-sea`. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 25 || (major === 25 && minor < 5))
  throw new Error(`build:single needs Node 25.5 or newer; this is ${process.versions.node}`)

interface Source extends PackedFile {
  readonly source: string
}

const dist = join(import.meta.dirname, 'dist')
if (!existsSync(join(dist, 'ostler.js'))) throw new Error('the command is not built; run build:command first')
mkdirSync(work, { recursive: true })
try {
  const files = collectFiles()
  const manifest = join(work, 'manifest.json')
  writeFileSync(manifest, JSON.stringify(toManifest(files)))
  const config = join(work, 'config.json')
  const assets = Object.fromEntries(files.map(({ path, source }) => [path, source]))
  writeFileSync(
    config,
    JSON.stringify({
      main: await bundleLauncher(),
      output,
      executable: smallerNode(),
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: { ...assets, manifest },
    }),
  )
  rmSync(output, { force: true })
  execFileSync(process.execPath, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  // macOS does not run a program with an invalid signature, and embedding the files invalidates Node's.
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', output])
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.stdout.write(`${output} (${Math.round(statSync(output).size / 1024 ** 2)} MB)\n`)

/** Node without its symbols, which only a debugger reads and which are a fifth of it. Unchanged if there is no tool to remove them. */
function smallerNode(): string {
  if (process.platform !== 'linux') return process.execPath
  const copy = join(work, 'node')
  try {
    execFileSync('strip', ['--strip-all', '-o', copy, process.execPath], { stdio: 'ignore' })
    return copy
  } catch {
    return process.execPath
  }
}

async function bundleLauncher(): Promise<string> {
  const file = join(work, 'launch.cjs')
  await using bundle = await rolldown({
    input: join(import.meta.dirname, 'src/single/launch.ts'),
    platform: 'node',
  })
  await bundle.write({ file, format: 'cjs', minify: true })
  return file
}

/** In the layout of an installed package, so that the command finds everything where it looks for it. */
function collectFiles(): Source[] {
  const packageJson = join(work, 'package.json')
  writeFileSync(packageJson, '{"type":"commonjs"}\n')
  const require = createRequire(join(import.meta.dirname, 'package.json'))
  return [
    toSource(packageJson, 'package.json'),
    ...filesIn(dist, ['ostler.js', 'chunks/**/*', 'page/**/*'], 'dist'),
    ...['@vscode/ripgrep', '@napi-rs/keyring'].flatMap((name) => collectPackage(name, require)),
  ].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** A package with its optional ones for this machine. Empty if it is not installed. */
function collectPackage(name: string, require: NodeJS.Require): Source[] {
  const file = require.resolve
    .paths(name)
    ?.map((folder) => join(folder, name, 'package.json'))
    .find((path) => existsSync(path))
  if (file === undefined) return []
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    Record<string, string>
  >
  return [
    ...filesIn(dirname(file), ['**/*'], join('node_modules', name)).filter(
      ({ path }) => !path.endsWith('.d.ts'),
    ),
    ...Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((each) =>
      collectPackage(each, createRequire(file)),
    ),
  ]
}

function filesIn(folder: string, patterns: readonly string[], target: string): Source[] {
  return globSync(patterns, { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => toSource(join(folder, path), join(target, path)))
}

function toSource(source: string, path: string): Source {
  const { size, mode } = statSync(source)
  return { source, path: path.replaceAll('\\', '/'), bytes: size, isProgram: (mode & 0o111) !== 0 }
}

function toManifest(files: readonly Source[]): Manifest {
  const hash = createHash('sha256')
  for (const { path, source, bytes } of files) hash.update(`${path}\0${bytes}\0`).update(readFileSync(source))
  return {
    hash: hash.digest('hex').slice(0, 32),
    files: files.map(({ path, bytes, isProgram }) => ({ path, bytes, isProgram })),
  }
}
