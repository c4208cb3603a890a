const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** `2h` is so long ago, `2026-11-01` the beginning of that day here, `2026-11-01T08:30` that minute. ISO 8601; undefined for anything else. */
export function parseSince(text: string, now = new Date()): string | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/i.exec(text) ?? []
  if (amount !== undefined) return toIso(now.getTime() - Number(amount) * unitMs[unit?.toLowerCase() as keyof typeof unitMs])
  // A day alone would be read as one in Greenwich.
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return toIso(Date.parse(`${text}T00:00:00`))
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ? toIso(Date.parse(text.replace(' ', 'T'))) : undefined
}

function toIso(time: number): string | undefined {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
