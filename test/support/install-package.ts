import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const aptGet = '/usr/bin/apt-get'

/** Time limits per step: downloads are slow on a slow line, and fail on their own without one. */
const steps = [
  { args: ['update'], minutes: 1 },
  { args: ['install', '-y', '--no-install-recommends', '--download-only'], minutes: 5 },
  { args: ['install', '-y', '--no-install-recommends'], minutes: 3 },
]
const noWaiting = [
  '-q',
  '-o',
  'Acquire::Retries=1',
  '-o',
  'Acquire::http::Timeout=20',
  '-o',
  'DPkg::Lock::Timeout=30',
]

/** Installs a package of the system for the tests. Returns the problem, if any. `what` names it in a sentence. */
export function installPackage(what: string, name: string): string | undefined {
  if (!existsSync(aptGet)) return `there is no ${what}, and no apt-get to install it with`
  if (process.getuid?.() !== 0) return `there is no ${what}, and only root can install it`
  say(`there is no ${what}: apt-get installs it`)
  for (const { args, minutes } of steps) {
    const [verb] = args
    const all = verb === 'update' ? args : [...args, name]
    say(`apt-get ${all.join(' ')} (${minutes} min at most)`)
    const { status, signal } = spawnSync(aptGet, [...noWaiting, ...all], {
      stdio: ['ignore', 2, 2],
      timeout: minutes * 60_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) return `apt-get ${verb} ${signal === null ? 'failed' : 'took too long'}`
  }
  return undefined
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
