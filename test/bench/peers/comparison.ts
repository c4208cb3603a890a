import { median } from '../measure.ts'
import type { Peer } from './peer.ts'
import type { Result } from './run-trials.ts'
import type { Row } from './trials.ts'

/** The content of the page and the picture, as plain data. */
export interface Comparison {
  readonly conditions: Conditions
  readonly rows: readonly Row[]
  readonly columns: readonly Column[]
}

export interface Conditions {
  readonly date: string
  readonly machine: string
  readonly cores: number
  readonly node: string
  readonly rounds: number
  readonly limitMs: number
  /** The load of the machine at the start and at the end. */
  readonly load: readonly [number, number]
}

export interface Column {
  readonly name: string
  /** The package with its version, or what stands for it. */
  readonly source: string
  /** By row. */
  readonly cells: Readonly<Record<string, Cell>>
}

export interface Cell {
  /** `Infinity` if there was no answer within the limit. Undefined if nothing was measured. */
  readonly value?: number
  readonly note?: string
}

/** A row that an agent cannot do has a note, and no value. */
export function toColumn(peer: Peer, source: string, rows: readonly Row[], result: Result | string): Column {
  const toCell = ({ id }: Row): Cell => {
    if (typeof result === 'string') return { note: result }
    const values = result.values.get(id) ?? []
    const [reason, ...others] = result.reasons.get(id) ?? []
    if (values.length === 0) return { note: reason ?? 'not measured' }
    const value = median(values)
    if (reason === undefined) return { value }
    return { value, note: `failed in ${others.length + 1} other rounds: ${reason}` }
  }
  return { name: peer.name, source, cells: Object.fromEntries(rows.map((row) => [row.id, toCell(row)])) }
}

export function toText({ unit }: Row, value: number, limitMs: number): string {
  if (value === Infinity) return `> ${(limitMs / 1_000).toLocaleString('en')} s`
  if (unit === 'ms' && value >= 10_000) return `${(value / 1_000).toFixed(1)} s`
  const digits = unit === 'count' || unit === 'per second' || value >= 100 ? 0 : value < 1 ? 2 : 1
  const number = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  if (unit === 'count') return number
  return unit === 'per second' ? `${number}/s` : `${number} ${unit}`
}

/** The best agents of a row. */
export function bestOf({ id, best }: Row, columns: readonly Column[]): ReadonlySet<string> {
  const measured = columns.flatMap(({ name, cells }) => {
    const value = cells[id]?.value
    return value === undefined || value === Infinity ? [] : [{ name, value }]
  })
  if (best === 'none') return new Set()
  const values = measured.map(({ value }) => value)
  const wanted = best === 'most' ? Math.max(...values) : Math.min(...values)
  return new Set(measured.filter(({ value }) => value === wanted).map(({ name }) => name))
}
