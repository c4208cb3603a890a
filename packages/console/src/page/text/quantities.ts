/** `340 ms`, `1.25 s`, `2 min 5 s`, `3 h 12 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return '<1 ms'
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${trimZeros((ms / 1_000).toFixed(ms < 9_995 ? 2 : 1))} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return joined(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(seconds / 60)
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

/** `512 B`, `1.5 kB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const [size, unit] = bytes < 999_500 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${trimZeros(size.toFixed(size < 9.95 ? 1 : 0))} ${unit}`
}

const numbers = new Intl.NumberFormat('en')
export function formatCount(count: number): string {
  return numbers.format(count)
}

/** `$0.12`, `€0.008`. */
export function formatCost(amount: number, currency: string): string {
  return amount.toLocaleString('en', { style: 'currency', currency, maximumFractionDigits: amount < 0.1 ? 4 : 2 })
}

/** `1 tool`, `2,000 tools`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

export function formatRate(part: number, whole: number): string {
  if (whole === 0) return '–'
  const percent = (100 * part) / whole
  if (part > 0 && percent < 0.1) return '<0.1%'
  return `${trimZeros(percent.toFixed(percent < 9.95 ? 1 : 0))}%`
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}
