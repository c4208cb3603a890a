const kib = 1024
const mib = 1024 * kib

export function shownSize(bytes: number): string {
  return bytes < mib ? `${bytes / kib} KiB` : `${bytes / mib} MiB`
}
