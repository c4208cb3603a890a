import { bestOf, toText, type Comparison } from './comparison.ts'

/** The Markdown page. */
export function toPage(comparison: Comparison): string {
  const { conditions, columns } = comparison
  const [from, to] = conditions.load
  const isBusy = from > conditions.cores / 2
  return `<!-- Written by \`pnpm bench --peers\`. Do not edit. -->

# Beside other agents

\`pnpm bench --peers\` measured this on ${conditions.date}: ${conditions.machine}, Node ${conditions.node}. It installs the agents from npm into a cache, runs them in turn with
Ostler against the same local model and the same MCP servers, and writes this page. The figures are medians of ${conditions.rounds} rounds (memory and the server that
never answers: of at most 3).

The load was ${from.toFixed(1)} at the start and ${to.toFixed(1)} at the end; ${conditions.cores} is as much as the cores can do. ${isBusy ? 'Other programs ran at the same time, so the times are longer than on a quiet machine, and some answers may have come too late. ' : ''}Each round
measures all agents within the same minutes, so their order and their ratios say more than the times.

![The same figures as bars](comparison.svg)

${toTable(comparison)}

${columns.map(({ name, source }) => `- ${name}: ${source}`).join('\n')}

## How it is measured

- Each agent has its defaults, with these exceptions: it uses the local model, trusts the folder, asks before it calls a tool of a server, sends no statistics and looks for no updates.
  The client offers no files and no terminal, and answers each question at once with "allow once".
- Each agent has a home of its own, which it keeps from start to start. The first round creates it and is not counted. Nothing of the person's own settings is read. Requests to other
  machines are refused by a proxy setting.
- The unknown servers answer \`initialize\` after 300 ms. An agent that has opened the session before they answered may wait for them in the first prompt.
- Memory and processor time are those of all processes of an agent, without the MCP servers. An agent that is a script runs in a Node that no other program uses, so its memory is
  what it costs alone; [speed.md](speed.md) has a smaller figure, because its agent shares Node with the benchmark.
- Updates are the messages in which the chunks arrive: an agent may join chunks.
- A request without an answer within ${conditions.limitMs / 1_000} s has failed, and all processes of the agent are ended. A dash has a note with the reason.

To repeat it, run \`pnpm bench --peers\` in a clone, or \`pnpm bench --peers goose opencode\` for some of the agents; \`--rounds 2\` is faster. Only a run with all agents writes this page.
`
}

/** The best value of a row is bold. */
export function toTable({ conditions, rows, columns }: Comparison): string {
  const notes: string[] = []
  const mark = (note: string | undefined) => {
    if (note === undefined) return ''
    if (!notes.includes(note)) notes.push(note)
    return ` [${notes.indexOf(note) + 1}]`
  }
  const lines = rows.map((row) => {
    const best = bestOf(row, columns)
    const cells = columns.map(({ name, cells }) => {
      const { value, note } = cells[row.id] ?? {}
      const text = value === undefined ? '–' : toText(row, value, conditions.limitMs)
      return `${best.has(name) ? `**${text}**` : text}${mark(note)}`
    })
    return [row.what, ...cells]
  })
  const head = [
    ['', ...columns.map(({ name }) => name)],
    ['---', ...columns.map(() => '---')],
  ]
  const table = [...head, ...lines].map((cells) => `| ${cells.join(' | ')} |`)
  const listed = notes.map((note, index) => `- [${index + 1}] ${toPlainText(note)}`)
  return [...table, ...(listed.length > 0 ? ['', ...listed] : [])].join('\n')
}

/** Reasons quote other programs. */
function toPlainText(note: string): string {
  return note.replaceAll(/[\s`|<>*_\\[\]]+/g, ' ').slice(0, 300)
}
