import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Installed, Peer } from './peer.ts'

const installLimitMs = 300_000

/** Where the packages stay between runs. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'ostler-bench', 'peers')
}

/**
 * Installs the exact version, unless the cache has it. Scripts of packages do not run. `node` runs an agent that is a script. Throws if npm has
 * no such package.
 */
export async function installPeer(peer: Peer, cache: string, node = process.execPath): Promise<Installed> {
  if (peer.package === undefined) return toInstalled(peer, peer.program, node)
  const { name, version } = peer.package
  const folder = join(cache, `${name.replaceAll('/', '+')}@${version}`)
  if (!existsSync(folder)) await install(`${name}@${version}`, folder)
  const program = join(folder, 'node_modules', peer.program)
  if (!existsSync(program)) throw new Error(`the package ${name} has no ${peer.program}`)
  return toInstalled(peer, program, node)
}

/** A folder with the final name is complete. */
async function install(spec: string, folder: string): Promise<void> {
  const started = `${folder}.${process.pid}`
  await mkdir(started, { recursive: true })
  try {
    await writeFile(join(started, 'package.json'), '{ "private": true }')
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']
    await promisify(execFile)('npm', ['install', ...flags, spec], { cwd: started, timeout: installLimitMs })
    await rename(started, folder)
  } catch (error) {
    await rm(started, { recursive: true, force: true })
    const reason = /npm (?:error|ERR!) \d*\s*(.+)/.exec(String((error as { stderr?: string }).stderr))?.[1]
    throw new Error(`npm cannot install ${spec}: ${reason ?? String(error)}`, { cause: error })
  }
}

function toInstalled(peer: Peer, program: string, node: string): Installed {
  return /\.m?js$/.test(program)
    ? { peer, command: node, args: [program, ...peer.args] }
    : { peer, command: program, args: peer.args }
}
