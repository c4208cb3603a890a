import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A unique value with characters that change when encoded. */
export function canary(channel: string, more = ''): string {
  return `canary-${channel}-${randomUUID()}${more}`
}

/** The forms in which a program may write it. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64')
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    ...new Set([
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ k: secret }).toString().slice(2),
      base64.replace(/=+$/, ''),
      bytes.toString('base64url'),
      json,
      JSON.stringify(json).slice(1, -1),
    ]),
  ]
}

/** The canaries found in outputs, with surrounding text. Empty if there are no leaks. */
export function leaksIn(
  outputs: Readonly<Record<string, string>>,
  canaries: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(outputs).flatMap(([output, text]) =>
    Object.entries(canaries).flatMap(([channel, secret]) =>
      formsOf(secret).flatMap((form) => {
        const at = text.indexOf(form)
        return at === -1
          ? []
          : [
              `${channel} in ${output}: ${JSON.stringify(text.slice(Math.max(0, at - 120), at + form.length + 40))}`,
            ]
      }),
    ),
  )
}

/** The content of every file below a folder, as raw bytes. */
export async function filesOf(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(files.map(async (path) => [path, await readFile(path, 'latin1')] as const)),
  )
}
