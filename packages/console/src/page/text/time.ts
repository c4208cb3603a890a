const dayMs = 24 * 60 * 60 * 1_000
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const wholeTime = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
})
const longDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

/** A text that is not a time stays as it is. */
function format(text: string, write: (time: Date) => string, time = new Date(text)): string {
  return Number.isNaN(time.getTime()) ? text : write(time)
}

/** A short form: today only the time, otherwise with the date, and with the year if it is long ago. */
export function formatTime(iso: string, now: Date = new Date()): string {
  return format(iso, (time) => {
    if (time.toDateString() === now.toDateString()) return clock.format(time)
    const isRecent = Math.abs(now.getTime() - time.getTime()) < 300 * dayMs
    return `${(isRecent ? date : longDate).format(time)}, ${clock.format(time)}`
  })
}

/** The date and the time, however long ago: `Nov 19, 2026, 12:48:53`. */
export function formatWholeTime(iso: string): string {
  return format(iso, (time) => wholeTime.format(time))
}

export function formatFullTime(iso: string): string {
  return format(iso, (time) => time.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' }))
}

/** Formats a UTC day of the statistics, `2026-11-18`. */
export function formatDay(day: string): string {
  return format(day, (time) => date.format(time), new Date(`${day}T12:00:00`))
}
