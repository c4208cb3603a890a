import { isAbsolute, resolve } from 'node:path'
import { OstlerError } from '@ostler/agent-api'
import { locateAgentFile, type AgentFileLocation } from '@ostler/agent-api/internal'
import type { Io } from '../terminal/io.ts'
import { stateDirOf } from './state-dir.ts'

export interface Places {
  readonly agent?: string | undefined
  readonly 'state-dir'?: string | undefined
}

/** A path that was typed. Reads the working directory only for a relative path, because the directory may be gone. */
export function toPath<P extends string | undefined>(io: Pick<Io, 'cwd'>, path: P): P {
  if (path === undefined) return path
  return (isAbsolute(path) ? resolve(path) : resolve(io.cwd, path)) as P
}

export function agentFileOf(io: Io, { agent }: Pick<Places, 'agent'>): AgentFileLocation {
  return locateAgentFile(toPath(io, agent), io.env)
}

export function findStateDir(io: Io, { 'state-dir': flag }: Pick<Places, 'state-dir'>): string | undefined {
  return stateDirOf(toPath(io, flag), io.env)
}

export function requireStateDir(io: Io, places: Pick<Places, 'state-dir'>): string {
  const stateDir = findStateDir(io, places)
  if (stateDir === undefined)
    throw new OstlerError('history.no_place', 'There is no state directory. Set one with --state-dir.')
  return stateDir
}
