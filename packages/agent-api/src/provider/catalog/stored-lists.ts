import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isRecord } from '../../base/is-record.ts'
import { makeDirectory } from '../../base/file-owner.ts'
import { parseListedModels, type ListedModel } from './listed-model.ts'

/** The list of one provider, and when it was fetched, in milliseconds. */
export interface StoredList {
  readonly fetchedAt: number
  readonly models: readonly ListedModel[]
}

const fileBytesMax = 4 * 1024 * 1024
const providersMax = 50

/** Reads the stored lists. A file that is missing, too large or not valid counts as empty. */
export function loadLists(path: string): Map<string, StoredList> {
  const lists = new Map<string, StoredList>()
  try {
    if (statSync(path).size > fileBytesMax) return lists
    const data: unknown = JSON.parse(readFileSync(path, 'utf8'))
    for (const [key, value] of Object.entries(isRecord(data) ? data : {}).slice(0, providersMax)) {
      if (!isRecord(value) || typeof value['fetchedAt'] !== 'number') continue
      lists.set(key, {
        fetchedAt: value['fetchedAt'],
        models: parseListedModels(value['models'], (model) => model),
      })
    }
  } catch {
    // Without the file, the vendors are asked again.
  }
  return lists
}

/** Adds a list to the file, which other processes also write. If a list of theirs gets lost, it is fetched again. */
export async function saveList(path: string, key: string, list: StoredList): Promise<void> {
  const others = [...loadLists(path)].filter(([other]) => other !== key)
  const newest = others.toSorted(([, a], [, b]) => b.fetchedAt - a.fetchedAt).slice(0, providersMax - 1)
  makeDirectory(dirname(path))
  const temporary = `${path}.${randomUUID()}`
  try {
    await writeFile(temporary, JSON.stringify(Object.fromEntries([...newest, [key, list]])), { mode: 0o600 })
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}
