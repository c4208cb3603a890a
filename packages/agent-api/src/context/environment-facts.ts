import { arch, platform, release } from 'node:os'
import { basename } from 'node:path'
import type { Repository } from './repository.ts'

const systems: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
  freebsd: 'FreeBSD',
}

/** Facts about the machine and the moment, for the model. The time of day is left out: it would be wrong a minute later. */
export function toEnvironmentFacts(
  repository: Repository | undefined,
  { env, now }: { readonly env: Readonly<Record<string, string | undefined>>; readonly now: Date },
): string {
  const shell = platform() === 'win32' ? env['COMSPEC'] : env['SHELL']
  const date = `${now.getFullYear()}-${`${now.getMonth() + 1}`.padStart(2, '0')}-${`${now.getDate()}`.padStart(2, '0')}`
  return [
    `Date at the start of this session: ${date}.`,
    `System: ${systems[platform()] ?? platform()} ${release()}, ${arch()}.${shell === undefined ? '' : ` Shell: ${basename(shell)}.`}`,
    repository === undefined
      ? 'The working directory is in no Git repository.'
      : `Git repository: ${repository.root}, at the start of this session ${repository.state}.`,
  ].join(' ')
}
