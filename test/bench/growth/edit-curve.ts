import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'
import { createTextCleaner } from '../../../packages/agent-api/src/redaction/text-cleaner.ts'
import { applyEdits } from '../../../packages/agent-api/src/workspace/files/apply-edits.ts'
import type { Curve } from './curve.ts'
import { measureSizes, ownCostOf, type Size } from './processor-time.ts'

const { clean } = createTextCleaner(createRedactor())
const bytes = [10_000, 100_000, 500_000, 2_000_000]
const edits = 20
const rounds = 15

/** Finding and replacing the texts of one call. */
export async function measureEdits(): Promise<Curve> {
  const kinds = {
    'exact texts': String,
    'texts with other indentation': (line: string) => `  ${line}`,
  }
  const series = []
  for (const [name, change] of Object.entries(kinds))
    series.push({
      name,
      points: await measureSizes(
        bytes.map((size) => toSize(size, change)),
        rounds,
      ),
    })
  return {
    id: 'edits',
    title: `A call of edit_file with ${edits} edits`,
    x: 'bytes of the file',
    y: 'ms of processor time',
    slopeMax: 1.1,
    series,
  }
}

function toSize(size: number, change: (line: string) => string): Size {
  const lines = Array.from(
    { length: size / 50 },
    (_, index) => `  const value${index} = compute(${index}, "text")`,
  )
  const text = `${lines.map((line) => line.padEnd(49)).join('\n')}\n`
  const wanted = Array.from({ length: edits }, (_, index) => {
    const line = lines[Math.floor((index * lines.length) / edits)]?.padEnd(49) ?? ''
    return { oldText: change(line), newText: `  const changed${index} = 0`, replaceAll: false }
  })
  const cost = () =>
    ownCostOf(async () => {
      const { type } = await applyEdits(text, wanted, { clean })
      if (type === 'problem') throw new Error('an edit was not applied')
    })
  return { x: text.length, cost }
}
