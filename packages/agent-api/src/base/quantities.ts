/** `512 bytes`, `1.5 KiB`, `12 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, 'byte')
  // From here on, it would be rounded to 1,024 KiB.
  const [size, unit] = bytes < 1_023.5 * 1_024 ? [bytes / 1_024, 'KiB'] : [bytes / 1_048_576, 'MiB']
  return `${trimZeros(size.toFixed(size < 9.95 ? 1 : 0))} ${unit}`
}

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

/** `1 tool`, `2,000 tools`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** `12`, not `12.0`. */
export function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}
