import { agentFlag, defineCommand, stateFlags } from '../command-line/command.ts'
import { agentFileOf, findStateDir } from '../state/places.ts'
import { formatTable, toShown, type Cell, type StyledCell } from '../terminal/format-table.ts'
import { print } from '../terminal/print.ts'
import type { Finding } from './doctor/finding.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about:
    'Checks Node, keys, vendors, the agent file, stored servers, the secret store, editors and the state directory, and says what to do.\nKeys are named, never shown. No server is started; vendors are only checked for an answer, without a key.',
  flags: {
    agent: agentFlag(),
    ...stateFlags,
  },
  more: 'The exit code is 1 if a problem keeps Ostler from working.',
  async run(io, { values }) {
    const file = agentFileOf(io, values)
    const stateDir = findStateDir(io, values)
    const [{ examineAgent }, { examineVendors }, { examineEditors }, { examinePlaces }] = await Promise.all([
      import('./doctor/examine-agent.ts'),
      import('./doctor/examine-vendors.ts'),
      import('./doctor/examine-editors.ts'),
      import('./doctor/examine-places.ts'),
    ])
    const { providers, findings: agent } = await examineAgent(io, file, stateDir)
    const findings = [
      ...examinePlaces(io, stateDir),
      ...(await examineVendors(io.env, providers)),
      ...agent,
      ...examineEditors(io),
    ]
    const ok = findings.every(({ state }) => state !== 'problem')
    print(io, values, { ok, findings }, () => formatTable(findings.flatMap(toRows)))
    return ok ? 0 : 1
  },
})

const marks: Readonly<Record<Finding['state'], StyledCell>> = {
  ok: { text: 'ok', style: 'green' },
  note: { text: '-', style: 'dim' },
  warning: { text: 'warning', style: 'yellow' },
  problem: { text: 'problem', style: 'red' },
}

function toRows({ what, state, found, advice }: Finding): Cell[][] {
  const row: Cell[] = [marks[state], { text: what, style: 'bold' }, toShown(found)]
  return advice === undefined ? [row] : [row, ['', '', `→ ${toShown(advice)}`]]
}
