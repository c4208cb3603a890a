import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, realpath, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
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
export async function packPackages(
  folders: readonly string[],
  workDir: string,
): Promise<ReadonlyMap<string, string>> {
  const copy = join(workDir, 'workspace')
  await copyWorkspace(copy)
  const paths = folders.map((folder) => `./packages/${folder}`)
  const output = await runNpm(['pack', '--json', '--pack-destination', workDir, ...paths], copy)
  const packed = (JSON.parse(output) as { filename: string }[]).map(({ filename }) => join(workDir, filename))
  return new Map(folders.map((folder, index) => [folder, packed[index] ?? '']))
}

/** The sources, with links to the installed dependencies. */
async function copyWorkspace(copy: string): Promise<void> {
  await mkdir(copy, { recursive: true })
  const isSource = (path: string) =>
    !['node_modules', 'dist', '.git', 'coverage'].includes(basename(path)) && !path.endsWith('.tsbuildinfo')
  const entries = [
    'package.json',
    'pnpm-workspace.yaml',
    'tsconfig.base.json',
    'packages',
    'test/package.json',
    'test/scripts',
  ]
  for (const entry of entries)
    await cp(join(repository, entry), join(copy, entry), { recursive: true, filter: isSource })
  const packages = await readdir(join(repository, 'packages'))
  for (const folder of ['.', 'test', ...packages.map((name) => join('packages', name))])
    await symlink(join(repository, folder, 'node_modules'), join(copy, folder, 'node_modules'))
}

/** Unpacks a package of this workspace into a `node_modules`, with links to the dependencies that its package.json names, and no others. */
export async function unpackLibrary(tarball: string, modules: string): Promise<void> {
  const target = join(modules, '@ostler/agent-api')
  await mkdir(target, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
  const { dependencies } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(
      await realpath(join(repository, 'packages/agent-api/node_modules', name)),
      join(modules, name),
    )
  }
}
