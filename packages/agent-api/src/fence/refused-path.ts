import { dirname, extname, resolve } from 'node:path'

/** How programs say that they may not change something. Node says ENOENT if it may not make a directory with those above. */
const refusal =
  /\bE(?:ROFS|ACCES|PERM)\b|\bENOENT\b.*\bmkdir\b|read-only file system|permission denied|operation not permitted/i
const pathInText = /['"‘“`](\/[^'"’”`]+)|(?<![^\s:=(])(\/[^\s:;,()]+)/g

export function isRefusal(line: string): boolean {
  return refusal.test(line)
}

/** The directory in which a line of output says that something was refused: of its last path, because programs name themselves first. */
export function refusedDirectory(line: string): string | undefined {
  const [, quoted, bare] = [...line.matchAll(pathInText)].at(-1) ?? []
  const path = quoted ?? bare
  // A path that is cut or redacted would name another place.
  if (!isRefusal(line) || path === undefined || /…$|\[redacted\]/.test(path)) return undefined
  const isFile = /\b(?:open|touch)\b/.test(line) || extname(path) !== ''
  return resolve(isFile && !/mkdir|director/.test(line) ? dirname(path) : path)
}
