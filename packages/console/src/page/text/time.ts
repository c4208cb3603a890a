const dayMs = 24 * 60 * 60 * 1_000
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const longDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

/** As short as it is still clear: the time today, the date and time this year, else the date with its year. */
export function formatTime(iso: string, now: Date = new Date()): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  if (time.toDateString() === now.toDateString()) return clock.format(time)
  const day = (Math.abs(now.getTime() - time.getTime()) < 300 * dayMs ? date : longDate).format(time)
  return `${day}, ${clock.format(time)}`
}

/** Whole and unmistakable, for the title of a short one. */
export function formatFullTime(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : time.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })
}

/** A day as the statistics name it, `2026-11-18`. */
export function formatDay(day: string): string {
  const time = new Date(`${day}T12:00:00`)
  return Number.isNaN(time.getTime()) ? day : date.format(time)
}
