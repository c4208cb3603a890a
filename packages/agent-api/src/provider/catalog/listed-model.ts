import { isRecord, defined } from '../../base/is-record.ts'
import { stripHidden } from '../../base/strip-hidden.ts'
import type { Prices } from '../model.ts'

/** A model as its vendor lists it. Facts that the vendor does not report are missing. */
export interface ListedModel {
  /** Without its provider. */
  readonly id: string
  readonly name?: string
  /** Context window in tokens. */
  readonly contextSize?: number
  readonly outputTokensMax?: number
  readonly prices?: Prices
  readonly takesImages?: boolean
  readonly thinks?: boolean
  /** False for a model that cannot take part in a conversation with tools. It can still be named. */
  readonly isForChat?: boolean
  /** Unix time in seconds. */
  readonly createdAt?: number
}

/** The fields of a listed model, unvalidated: from a server or a file. */
export type ListedFields = { readonly [Field in keyof ListedModel]?: unknown }

const nameCharsMax = 120
const tokensMax = 100_000_000
/** For a million tokens. */
const priceMax = 1_000_000
/** More models than any vendor has. */
export const listedModelsMax = 1_000

/** Returns the model with its valid fields. Undefined if its id is not usable. */
export function parseListedModel(fields: ListedFields): ListedModel | undefined {
  const { id, name } = fields
  if (typeof id !== 'string' || !/^[\w.@:/+-]{1,200}$/.test(id)) return undefined
  const shown =
    typeof name === 'string' ? stripHidden(name).replace(/\s+/g, ' ').trim().slice(0, nameCharsMax) : ''
  return defined({
    id,
    name: shown === '' || shown === id ? undefined : shown,
    contextSize: toCount(fields.contextSize),
    outputTokensMax: toCount(fields.outputTokensMax),
    prices: toPrices(fields.prices),
    takesImages: toBoolean(fields.takesImages),
    thinks: toBoolean(fields.thinks),
    isForChat: toBoolean(fields.isForChat),
    createdAt: toCount(fields.createdAt, Number.MAX_SAFE_INTEGER),
  })
}

/** Parses a list up to its limit. Unusable entries are left out. If two models have the same id, the first counts. */
export function parseListedModels(
  values: unknown,
  toFields: (value: Record<string, unknown>) => ListedFields,
): ListedModel[] {
  if (!Array.isArray(values)) return []
  const models = new Map<string, ListedModel>()
  for (const value of values) {
    const model = isRecord(value) ? parseListedModel(toFields(value)) : undefined
    if (model !== undefined && !models.has(model.id)) models.set(model.id, model)
    if (models.size >= listedModelsMax) break
  }
  return [...models.values()]
}

function toCount(value: unknown, max = tokensMax): number | undefined {
  return typeof value === 'number' && value >= 1 && value <= max ? Math.floor(value) : undefined
}

/** Undefined unless both main prices are valid. */
function toPrices(value: unknown): Prices | undefined {
  if (!isRecord(value)) return undefined
  const { currency, input, output, cacheRead, cacheWrite } = value
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency) || !isPrice(input) || !isPrice(output))
    return undefined
  return {
    currency,
    input,
    output,
    ...(isPrice(cacheRead) && { cacheRead }),
    ...(isPrice(cacheWrite) && { cacheWrite }),
  }
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= priceMax
}

function toBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}
