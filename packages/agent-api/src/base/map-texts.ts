import { OstlerError } from './errors.ts'

/** No settings are nested as deeply as this, and recursion must end before the stack does. */
const depthMax = 100

/** Field names stay as they are. Throws `config.invalid` for data that is nested too deeply. */
export function mapTexts(value: unknown, map: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === depthMax)
    throw new OstlerError('config.invalid', `The entry is nested more than ${depthMax} levels deep.`)
  const mapItem = (item: unknown) => mapTexts(item, map, depth + 1)
  return Array.isArray(value)
    ? value.map(mapItem)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapItem(item)]))
}
