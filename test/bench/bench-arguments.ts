import { parseArgs } from 'node:util'

export const usage = `Usage: pnpm bench [--quick]                              prints a table of start-up, prompts, streaming and memory
       pnpm bench --gate [--write]                      compares what the command costs with the figures that are held; holds those of this run
       pnpm bench --growth [--calls NUMBER] [CURVE...]  measures what grows with its input, up to a history of so many calls (1000000)
       pnpm bench --peers [--rounds NUMBER] [AGENT...]  measures other agents beside Ostler, in so many rounds (5)`

/** Throws for an unknown option. */
export function parseBenchArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      gate: { type: 'boolean' },
      write: { type: 'boolean' },
      quick: { type: 'boolean' },
      peers: { type: 'boolean' },
      growth: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      calls: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '5' },
    },
  })
  const { gate, peers, growth, help, write, calls, rounds } = values
  const mode = help ? 'help' : gate ? 'gate' : peers ? 'peers' : growth ? 'growth' : 'quick'
  return {
    mode,
    names: positionals,
    write: write === true,
    calls: Number(calls),
    rounds: Number(rounds),
  } as const
}
