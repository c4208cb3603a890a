import { arch, platform, release } from 'node:os'
import { basename } from 'node:path'
import type { Repository } from './repository.ts'

const systems: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
  freebsd: 'FreeBSD',
}

/** The time of day is left out: it would be wrong a minute later. */
export function toEnvironmentFacts(
  repository: Repository | undefined,
  {
    cwd,
    env,
    now,
  }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>; readonly now: Date },
): string {
  const shell = platform() === 'win32' ? env['COMSPEC'] : env['SHELL']
  const date = `${now.getFullYear()}-${`${now.getMonth() + 1}`.padStart(2, '0')}-${`${now.getDate()}`.padStart(2, '0')}`
  const place = repository === undefined || repository.root === cwd ? '' : ` ${repository.root}`
  const git = repository === undefined ? 'no Git repository' : `Git repository${place} ${repository.state}`
  const system = `${systems[platform()] ?? platform()} ${release()}, ${arch()}`
  return [
    `When this session began: ${date}, ${git}.`,
    `System: ${system}${shell === undefined ? '' : `, shell ${basename(shell)}`}.`,
  ].join(' ')
}
