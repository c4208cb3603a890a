const dayMs = 24 * 60 * 60 * 1_000
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const wholeTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })
const longDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

/** A short form: today only the time, otherwise with the date, and with the year if it is long ago. */
export function formatTime(iso: string, now: Date = new Date()): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  if (time.toDateString() === now.toDateString()) return clock.format(time)
  const day = (Math.abs(now.getTime() - time.getTime()) < 300 * dayMs ? date : longDate).format(time)
  return `${day}, ${clock.format(time)}`
}

/** The date and the time, however long ago: `Nov 19, 2026, 12:48:53`. */
export function formatWholeTime(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : wholeTime.format(time)
}

/** The full date and time, for tooltips. */
export function formatFullTime(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : time.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })
}

/** Formats a UTC day of the statistics, `2026-11-18`. */
export function formatDay(day: string): string {
  const time = new Date(`${day}T12:00:00`)
  return Number.isNaN(time.getTime()) ? day : date.format(time)
}
