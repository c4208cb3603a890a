import type { ServerLogView } from '../../api.ts'
import { formatTime } from './time.ts'

export function toLogLines({ entries, stderr }: Pick<ServerLogView, 'entries' | 'stderr'>): string[] {
  const lines = [
    ...stderr.map(({ at, text }) => ({ at, text: `stderr: ${text}` })),
    ...entries.map(({ at, level, logger, text }) => ({
      at,
      text: `${level}${logger === undefined ? '' : ` ${logger}`}: ${text}`,
    })),
  ]
  return lines
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .map(({ at, text }) => `${formatTime(at)} ${text}`)
}
