/** Takes `PT30S`, `P0DT0H0M30S`, `30s`, `500ms`, `2m`, `1h`, or a number of milliseconds. Undefined for anything else. */
export function parseDuration(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const text = value.trim()
  return parseIso(text) ?? parseShort(text)
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function parseShort(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/i.exec(text) ?? []
  if (amount === undefined) return undefined
  return Number(amount) * unitMs[(unit?.toLowerCase() ?? 'ms') as keyof typeof unitMs]
}

/** Years and months have no fixed length, so they are not accepted. */
function parseIso(text: string): number | undefined {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i.exec(text)
  const [, ...parts] = match ?? []
  if (match === null || parts.every((part) => part === undefined) || /T$/i.test(text)) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number((part ?? '0').replace(',', '.')),
  )
  return (
    weeks * 7 * unitMs.d +
    days * unitMs.d +
    hours * unitMs.h +
    minutes * unitMs.m +
    Math.round(seconds * unitMs.s)
  )
}
