import { join, dirname } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { createListeners } from '../../base/listeners.ts'
import type { Logger } from '../../base/logger.ts'
import { builtInProviders } from '../built-in-providers.ts'
import { providerNames, tryFindProvider, type ProviderAccess } from '../find-provider.ts'
import type { ModelSettings } from '../model.ts'
import { parseModelId } from '../model-id.ts'
import { type ListedModel, parseListedModels } from './listed-model.ts'
import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { isRecord } from '../../base/is-record.ts'
import { makeDirectory } from '../../base/file-owner.ts'

/** The models that the vendors list. Fetched in the background, and kept for a day in the state directory. */
export interface ModelCatalog extends Disposable {
  /** The list of a provider. Undefined while it is not known. */
  listOf(provider: string): readonly ListedModel[] | undefined
  /** The vendor's facts about a model. */
  find(id: string): ListedModel | undefined
  /** Fetches missing and old lists a little later. A local server is asked only if it is configured or `inUse` names one of its models. */
  refresh(inUse: string): void
  /** Called after a list has changed. */
  onChange(listener: () => void): () => void
}

interface ModelCatalogOptions {
  readonly settings: ModelSettings
  /** In memory if undefined. */
  readonly stateDir: string | undefined
  readonly logger: Logger
}

const minuteMs = 60_000
const freshMs = 24 * 60 * minuteMs
/** The models on a local server change often, and asking costs nothing. */
const freshLocalMs = minuteMs
/** A vendor whose request failed is asked again after this time at the earliest. */
const pauseMs = 10 * minuteMs
/** Opening the session comes first. */
const startAfterMs = 250
const fetchMsMax = 20_000

export function createModelCatalog({ settings, stateDir, logger }: ModelCatalogOptions): ModelCatalog {
  const path = stateDir === undefined ? undefined : join(stateDir, 'models.json')
  const listeners = createListeners('the list of models', logger)
  const closed = new AbortController()
  const askedAt = new Map<string, number>()
  let lists: Map<string, StoredList> | undefined

  function stored(): Map<string, StoredList> {
    lists ??= path === undefined ? new Map<string, StoredList>() : loadLists(path)
    return lists
  }

  function listOf(provider: string): readonly ListedModel[] | undefined {
    const access = tryFindProvider(provider, settings)
    return access && stored().get(keyOf(access))?.models
  }

  return {
    listOf,
    find(id) {
      const parsed = parseModelId(id)
      const models = parsed && listOf(parsed.provider)
      return (
        models?.find((model) => model.id === parsed?.model) ??
        models?.find((model) => withoutDate(model.id) === parsed?.model)
      )
    },
    refresh(inUse) {
      if (closed.signal.aborted) return
      setTimeout(() => {
        for (const access of providersToAsk(settings, inUse)) if (isDue(access)) void fetchList(access)
      }, startAfterMs).unref()
    },
    onChange: listeners.add,
    [Symbol.dispose]() {
      closed.abort()
      listeners.clear()
    },
  }

  function isDue(access: ProviderAccess): boolean {
    const now = Date.now()
    const { fetchedAt } = stored().get(keyOf(access)) ?? { fetchedAt: 0 }
    const isFresh = now - fetchedAt < (isLocal(access) ? freshLocalMs : freshMs) && fetchedAt <= now
    return !isFresh && now - (askedAt.get(access.name) ?? 0) >= (isLocal(access) ? freshLocalMs : pauseMs)
  }

  async function fetchList(access: ProviderAccess): Promise<void> {
    askedAt.set(access.name, Date.now())
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), fetchMsMax).unref()
    const signal = AbortSignal.any([closed.signal, late.signal])
    try {
      const { fetchModelList } = await import('./fetch-model-list.ts')
      if (signal.aborted) return
      const models = await fetchModelList(access, settings, signal)
      if (models.length === 0 || closed.signal.aborted) return
      const key = keyOf(access)
      const before = stored().get(key)?.models
      const list = { fetchedAt: Date.now(), models }
      stored().set(key, list)
      if (path !== undefined) await saveList(path, key, list)
      logger.debug('the list of models was read', { provider: access.name, models: models.length })
      if (JSON.stringify(before) !== JSON.stringify(models)) listeners.tell()
    } catch (error) {
      if (!closed.signal.aborted)
        logger.info('the list of models could not be read', {
          provider: access.name,
          error: late.signal.aborted ? 'no answer in time' : messageOf(error),
        })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A list is the same for every key. */
function keyOf({ name, baseUrl }: ProviderAccess): string {
  return `${name} ${baseUrl}`
}

function isLocal({ name }: ProviderAccess): boolean {
  return builtInProviders[name]?.isLocal === true
}

function providersToAsk(settings: ModelSettings, inUse: string): ProviderAccess[] {
  const used = parseModelId(inUse)?.provider
  const isWanted = (name: string) => {
    const builtIn = builtInProviders[name]
    if (builtIn?.isLocal !== true || name === used || Object.hasOwn(settings.providers, name)) return true
    return builtIn.baseUrlVariables.some((variable) => settings.env[variable]?.trim())
  }
  const names = providerNames(settings).filter(isWanted)
  return names
    .flatMap((name) => tryFindProvider(name, settings) ?? [])
    .filter(({ open }) => open === undefined)
}

/** The name without the date of a snapshot: vendors list `claude-sonnet-4-5-20250929` and also take `claude-sonnet-4-5`. */
export function withoutDate(model: string): string {
  return model.replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d)$/, '')
}

interface StoredList {
  readonly fetchedAt: number
  readonly models: readonly ListedModel[]
}

const fileBytesMax = 4 * 1024 * 1024
const providersMax = 50

/** Reads the stored lists. A file that is missing, too large or not valid counts as empty. */
function loadLists(path: string): Map<string, StoredList> {
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
async function saveList(path: string, key: string, list: StoredList): Promise<void> {
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
