import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, realpath, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const repository = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Runs npm without this machine's settings and without the network. */
export async function runNpm(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, npm_config_cache: join(cwd, '.npm') },
    maxBuffer: 16 * 1024 ** 2,
  })
  return stdout
}

/** Packs packages as `npm pack` does on a release, in a copy of the workspace, and returns the tarballs by folder. */
export async function packPackages(folders: readonly string[], workDir: string): Promise<ReadonlyMap<string, string>> {
  const copy = join(workDir, 'workspace')
  await copyWorkspace(copy)
  const packed = new Map<string, string>()
  for (const folder of folders) {
    const output = await runNpm(['pack', '--json', '--pack-destination', workDir], join(copy, 'packages', folder))
    const [{ filename }] = JSON.parse(output) as [{ filename: string }]
    packed.set(folder, join(workDir, filename))
  }
  return packed
}

/** The sources, with links to the installed dependencies. */
async function copyWorkspace(copy: string): Promise<void> {
  await mkdir(copy, { recursive: true })
  const isSource = (path: string) =>
    !['node_modules', 'dist', '.git', 'coverage'].includes(basename(path)) && !path.endsWith('.tsbuildinfo')
  const entries = ['package.json', 'pnpm-workspace.yaml', 'tsconfig.base.json', 'packages', 'test/package.json', 'test/scripts']
  for (const entry of entries) await cp(join(repository, entry), join(copy, entry), { recursive: true, filter: isSource })
  const packages = await readdir(join(repository, 'packages'))
  for (const folder of ['.', 'test', ...packages.map((name) => join('packages', name))])
    await symlink(join(repository, folder, 'node_modules'), join(copy, folder, 'node_modules'))
}

/** Packs everything that a package depends on, so that npm can install it without a registry. */
export async function packDependencies(folder: string, workDir: string): Promise<readonly string[]> {
  const found = [...(await dependenciesOf(join(repository, 'packages', folder)))]
  return Promise.all(found.map((path, index) => packFolder(path, join(workDir, `dependency-${index}`))))
}

/**
 * These packages come from a registry. Running npm's own packing again would run their scripts. Types, maps and documentation are left out:
 * they are most of the files, and no program reads them.
 */
async function packFolder(path: string, stage: string): Promise<string> {
  const isNeeded = (source: string) => basename(source) !== 'node_modules' && !/\.(?:[cm]?ts|map|mdx?)$/.test(source)
  await cp(path, join(stage, 'package'), { recursive: true, filter: isNeeded })
  await run('tar', ['-czf', `${stage}.tgz`, '-C', stage, 'package'])
  return `${stage}.tgz`
}

async function dependenciesOf(packageDir: string, found = new Set<string>()): Promise<ReadonlySet<string>> {
  const manifest = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>
    peerDependencies?: Record<string, string>
  }
  for (const name of Object.keys({ ...manifest.peerDependencies, ...manifest.dependencies })) {
    const path = await findPackage(name, packageDir)
    if (path === undefined || found.has(path)) continue
    found.add(path)
    await dependenciesOf(path, found)
  }
  return found
}

/** The folder of an installed package. Its `exports` may hide its package.json, so the folders are searched as Node does. */
async function findPackage(name: string, from: string): Promise<string | undefined> {
  for (const folder of createRequire(join(from, 'package.json')).resolve.paths(name) ?? []) {
    const path = await realpath(join(folder, name)).catch(() => undefined)
    if (path !== undefined) return path
  }
  return undefined
}
