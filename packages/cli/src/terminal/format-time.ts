/** Formats a time in the local time zone: only the time for today, otherwise with the date. */
export function formatTime(iso: string, now = new Date()): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const day = dayOf(time)
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits)
  return day === dayOf(now) ? `${hours}:${minutes}:${seconds}` : `${day} ${hours}:${minutes}`
}

export function formatFullTime(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  return `${dayOf(time)} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':')}`
}

function dayOf(time: Date): string {
  return `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
