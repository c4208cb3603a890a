import type { CommandEnd } from '../workspace.ts'

/** The state of a command, in brackets, so that the model can tell it from output. */
export function describeState(end: CommandEnd | undefined, runsMs: number): string {
  if (end === undefined) return `[still running after ${shownSeconds(runsMs)}]`
  const left = end.leftProcesses
    ? '\n[Processes that it had started were still running and were ended. To keep a process running, use "background".]'
    : ''
  return `${describeEnd(end)}${left}`
}

function describeEnd({ exitCode, signal, isLost = false }: CommandEnd): string {
  if (isLost) return '[the editor did not say how it ended]'
  if (signal !== null) return `[ended by signal ${signal}]`
  return exitCode === null ? '[ended without an exit code]' : `[exit code ${exitCode}]`
}

export function shownSeconds(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Some terminals of editors end without an exit code. Nothing says that their commands failed. */
export function isSuccess({ exitCode, signal, isLost = false }: CommandEnd): boolean {
  return (exitCode ?? 0) === 0 && signal === null && !isLost
}
