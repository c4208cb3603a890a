import type { ServerLog } from '../../api.ts'
import { formatTime } from './time.ts'

/** Log messages and stderr output in the order in which they came. */
export function toLogLines({ entries, stderr }: Pick<ServerLog, 'entries' | 'stderr'>): string[] {
  const lines = [
    ...stderr.map(({ at, text }) => ({ at, text: `stderr: ${text}` })),
    ...entries.map(({ at, level, logger, text }) => ({ at, text: `${level}${logger === undefined ? '' : ` ${logger}`}: ${text}` })),
  ]
  return lines.toSorted((one, other) => one.at.localeCompare(other.at)).map(({ at, text }) => `${formatTime(at)} ${text}`)
}
