import { parseArgs } from 'node:util'

/** `--gate` compares what the built command costs with the figures that are held, and `--write` holds those of this run. */
const { values } = parseArgs({
  options: { gate: { type: 'boolean' }, write: { type: 'boolean' }, quick: { type: 'boolean' } },
})
if (values.gate === true) {
  const { runGate } = await import('./gate/gate.ts')
  await runGate({ write: values.write === true })
} else await import('./quick.ts')
