import { parseArgs } from 'node:util'
import { runGate } from './gate/gate.ts'
import { runQuick } from './quick/quick.ts'

/**
 * `--quick`, the default, prints a table. `--gate` compares what the built command costs with the figures that are held, and `--write` holds
 * those of this run.
 */
const { values } = parseArgs({
  options: { gate: { type: 'boolean' }, write: { type: 'boolean' }, quick: { type: 'boolean' } },
})
if (values.gate === true) await runGate({ write: values.write === true })
else await runQuick()
