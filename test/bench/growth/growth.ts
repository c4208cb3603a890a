import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { checkNames } from '../wrong-argument.ts'
import { measureLoads, measureResults, measureSessions, measureTools, measureTurns } from './agent-curves.ts'
import { slopeOf, steepOf, type Curve } from './curve.ts'
import { drawCurve } from './draw-curve.ts'
import { measureEdits } from './edit-curve.ts'
import { measureHistory } from './history-curve.ts'
import { toPage, type Measured } from './performance-page.ts'

const docs = join(import.meta.dirname, '../../../docs')
const file = join(import.meta.dirname, 'figures.json')

/** Of the page. */
const order = ['turns', 'sessions', 'tools', 'results', 'loads', 'edits', 'history', 'searches']

export interface GrowthOptions {
  /** Empty for all curves. */
  readonly names: readonly string[]
  readonly calls: number
}

/** Measures how costs grow, and writes docs/performance.md with its pictures. Sets the exit code if a curve is too steep. */
export async function runGrowth({ names, calls }: GrowthOptions): Promise<void> {
  const curves: Readonly<Record<string, () => Promise<readonly Curve[]>>> = {
    turns: one(measureTurns),
    sessions: one(measureSessions),
    tools: one(measureTools),
    results: one(measureResults),
    loads: one(measureLoads),
    edits: one(measureEdits),
    history: () => measureHistory(calls),
  }
  checkNames('curves', names, Object.keys(curves))
  if (process.platform !== 'linux') throw new Error('Processor time is read from /proc, so this needs Linux.')
  const fresh: Measured[] = []
  for (const [name, measure] of Object.entries(curves)) {
    if (names.length > 0 && !names.includes(name)) continue
    console.log(name)
    for (const curve of await measure()) {
      fresh.push({ conditions: conditions(), curve })
      report(curve)
    }
  }
  const measured = new Map([...readMeasured(), ...fresh].map((known) => [known.curve.id, known]))
  const ordered = order.flatMap((id) => measured.get(id) ?? [])
  writeFileSync(file, `${JSON.stringify(ordered, undefined, 2)}\n`)
  mkdirSync(join(docs, 'performance'), { recursive: true })
  for (const { curve } of ordered) writeFileSync(join(docs, `performance/${curve.id}.svg`), drawCurve(curve))
  writeFileSync(join(docs, 'performance.md'), toPage(ordered))
}

function one(measure: () => Promise<Curve>): () => Promise<readonly Curve[]> {
  return async () => [await measure()]
}

function readMeasured(): readonly Measured[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Measured[]) : []
}

function report(curve: Curve): void {
  const steep = steepOf(curve)
  for (const series of curve.series) {
    const points = series.points.map(({ x, y }) => `${x}: ${y.toFixed(2)}`).join('  ')
    const verdict = steep.includes(series) ? `  NOT MET: at most ${curve.slopeMax}` : ''
    console.log(`  ${series.name.padEnd(32)} ${points}  slope ${slopeOf(series.points).toFixed(2)}${verdict}`)
  }
  if (steep.length > 0) process.exitCode = 1
}

function conditions(): string {
  const load = loadavg()[0]?.toFixed(0)
  return `Measured on ${new Date().toISOString().slice(0, 10)}: ${cpus()[0]?.model}, ${cpus().length} cores with a load of ${load}, Node ${process.version}.`
}
