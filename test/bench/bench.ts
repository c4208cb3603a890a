import { parseBenchArguments, usage } from './bench-arguments.ts'
import { runGate } from './gate/gate.ts'
import { runGrowth } from './growth/growth.ts'
import { runPeers } from './peers/peers.ts'
import { runQuick } from './quick/quick.ts'
import { wrongArgumentOf } from './wrong-argument.ts'

const options = readArguments()
const problem = await wrongArgumentOf(run)
if (problem !== undefined) {
  console.error(problem)
  process.exitCode = 2
}

async function run(): Promise<void> {
  switch (options?.mode) {
    case undefined:
      break
    case 'help':
      console.log(usage)
      break
    case 'gate':
      await runGate(options)
      break
    case 'peers':
      await runPeers(options)
      break
    case 'growth':
      await runGrowth(options)
      break
    case 'quick':
      await runQuick()
  }
}

/** Undefined for an argument that is wrong, after saying so. */
function readArguments() {
  try {
    return parseBenchArguments(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exitCode = 1
    return undefined
  }
}
