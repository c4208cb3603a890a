import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface StaticFile {
  readonly content: Buffer
  readonly type: string
  readonly cache: string
}

/** All files by path, in memory. A request path never reaches the file system. */
export type StaticFiles = ReadonlyMap<string, StaticFile>

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
}

/** Vite writes files with a content hash in their name here, so they can be cached forever. */
const hashedDirectory = '/assets/'

/** Paths of the page's views. The page itself chooses the view. */
const pagePath =
  /^\/(?:enter|questions|servers|tools|calls|agent|policy|app|sessions(?:\/[^/]+)?|servers(?:\/[^/]+){1,2})\/?$/

export function findFile(files: StaticFiles, path: string): StaticFile | undefined {
  return files.get(path) ?? (pagePath.test(path) ? files.get('/') : undefined)
}

/** Reads regular files only, because a link could lead anywhere. */
export function readStaticFiles(directory: string): StaticFiles {
  const files = new Map<string, StaticFile>()
  read(directory, '/')
  const index = files.get('/index.html')
  if (index !== undefined) files.set('/', index)
  return files

  function read(from: string, path: string): void {
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const file = join(from, entry.name)
      if (entry.isDirectory()) read(file, `${path}${entry.name}/`)
      const type = types[extname(entry.name)]
      if (!entry.isFile() || type === undefined) continue
      const cache = path.startsWith(hashedDirectory) ? 'private, max-age=31536000, immutable' : 'no-store'
      files.set(`${path}${entry.name}`, { content: readFileSync(file), type, cache })
    }
  }
}
