import { parseArgs } from 'node:util'
import { runGate } from './gate/gate.ts'
import { runGrowth } from './growth/growth.ts'
import { runPeers } from './peers/peers.ts'
import { runQuick } from './quick/quick.ts'

/**
 * `--quick`, the default, prints a table. `--gate` compares what the built command costs with the figures that are held, and `--write` holds
 * those of this run. `--peers` measures other agents beside it; names choose some of them.
 * `--growth` measures what grows with the size of its input, `--calls` up to which history; names choose some of the curves.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    gate: { type: 'boolean' },
    write: { type: 'boolean' },
    quick: { type: 'boolean' },
    peers: { type: 'boolean' },
    growth: { type: 'boolean' },
    calls: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
  },
})
if (values.gate === true) await runGate({ write: values.write === true })
else if (values.peers === true) await runPeers({ names: positionals, rounds: Number(values.rounds) })
else if (values.growth === true) await runGrowth({ names: positionals, calls: Number(values.calls) })
else await runQuick()
