import { parseDuration } from '@ostler/agent-api/internal'
import { usageError, type UsageError } from './command.ts'

const countMax = 100_000
const dayMs = 24 * 60 * 60 * 1_000
const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** Parses `--limit 20`. */
export function parseCount(flag: string, text: string, max = countMax): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > max) throw mustBe(flag, `a number from 1 to ${max}`, text)
  return number
}

/** Parses `--port 8080`. Zero means any free port, and is the default. */
export function parsePort(flag: string, text: string | undefined): number {
  if (text === undefined) return 0
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw mustBe(flag, 'a number from 0 to 65535', text)
  return port
}

/** Checks `--issuer https://login.example`. */
export function requireUrl(flag: string, text: string | undefined): void {
  if (text !== undefined && (!/^https?:/i.test(text) || !URL.canParse(text)))
    throw mustBe(flag, 'a URL like https://login.example', text)
}

/** Parses `--timeout 30s`. */
export function parseTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms === undefined || ms < 1 || ms > dayMs) throw mustBe('timeout', 'a duration like 30s or PT1M', text)
  return ms
}

/** Parses `--since 7d`. */
export function parseTime(flag: string, text: string): string {
  const time = parseSince(text)
  if (time === undefined) throw mustBe(flag, 'like 30m, 2h, 7d, 2w, 2026-11-01 or 2026-11-01T08:30', text)
  return time
}

function mustBe(flag: string, what: string, text: string): UsageError {
  return usageError(`--${flag} must be ${what}, but is '${text}'`)
}

/**
 * Converts to ISO 8601: `2h` is two hours ago, `2026-11-01` the beginning of that day in local time, `2026-11-01T08:30` that minute.
 * Undefined for anything else.
 */
export function parseSince(text: string, now = new Date()): string | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/i.exec(text) ?? []
  if (amount !== undefined)
    return toIso(now.getTime() - Number(amount) * unitMs[unit?.toLowerCase() as keyof typeof unitMs])
  // Without a time, Date.parse would read it as a day in UTC.
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return toIso(Date.parse(`${text}T00:00:00`))
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ? toIso(Date.parse(text.replace(' ', 'T'))) : undefined
}

function toIso(time: number): string | undefined {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
