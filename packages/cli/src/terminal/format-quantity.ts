/** Formats a time in the local time zone: only the time for today, otherwise with the date. */
export function formatTime(iso: string, now = new Date()): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const day = dayOf(time)
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits)
  return day === dayOf(now) ? `${hours}:${minutes}:${seconds}` : `${day} ${hours}:${minutes}`
}

/** Date and time in full. */
export function formatFullTime(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  return `${dayOf(time)} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':')}`
}

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

function dayOf(time: Date): string {
  return `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
