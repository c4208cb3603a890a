import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { probeFence, toSystemReason } from '@ostler/agent-api/internal'
import { agentFlag, defineCommand, stateFlags } from '../command-line/command.ts'
import { agentFileOf, findStateDir } from '../state/places.ts'
import { formatTable, print, type Cell, type StyledCell } from '../terminal/print.ts'
import { toShown } from '../terminal/safe-text.ts'
import { finding, type Finding } from './doctor/finding.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about:
    'Checks Node, keys, vendors, the agent file, stored servers, the secret store, the sandbox, editors and the state directory, and says what to do.\nKeys are named, never shown. No server is started; vendors are only checked for an answer, without a key.',
  flags: {
    agent: agentFlag(),
    ...stateFlags,
  },
  more: 'The exit code is 1 if a problem keeps Ostler from working.',
  async run(io, { values }) {
    const file = agentFileOf(io, values)
    const stateDir = findStateDir(io, values)
    const [{ examineAgent }, { examineVendors }, { examineEditors }] = await Promise.all([
      import('./doctor/examine-agent.ts'),
      import('./doctor/examine-vendors.ts'),
      import('./doctor/examine-editors.ts'),
    ])
    const { providers, findings: agent } = await examineAgent(io, file, stateDir)
    const findings = [
      finding('Node', 'ok', `${io.nodeVersion} (${io.self[0]})`),
      examineStateDir(stateDir),
      ...(await examineVendors(io.env, providers)),
      ...agent,
      await examineSandbox(),
      ...examineEditors(io),
    ]
    const ok = findings.every(({ state }) => state !== 'problem')
    print(io, values, { ok, findings }, () => formatTable(findings.flatMap(toRows)))
    return ok ? 0 : 1
  },
})

async function examineSandbox(): Promise<Finding> {
  const maker = await probeFence()
  return maker.by === 'nothing'
    ? finding('Sandbox', 'note', `none: ${maker.why}`)
    : finding('Sandbox', 'ok', maker.by)
}

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

/** Creates nothing. */
function examineStateDir(stateDir: string | undefined): Finding {
  const what = 'State directory'
  if (stateDir === undefined)
    return finding(
      what,
      'warning',
      'none, so nothing is kept',
      'Set HOME or XDG_STATE_HOME, or name one with --state-dir.',
    )
  const advice = 'Make it writable for you, or name another with --state-dir.'
  let place = stateDir
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  try {
    if (!statSync(place).isDirectory()) return finding(what, 'problem', `${place} is not a directory`, advice)
    accessSync(place, constants.W_OK)
    if (statfsSync(place).bavail === 0)
      return finding(
        what,
        'problem',
        `${place} cannot be written: the disk is full`,
        'Free some space, or name another with --state-dir.',
      )
    return finding(what, 'ok', place === stateDir ? stateDir : `${stateDir}, not created yet`)
  } catch (error) {
    return finding(what, 'problem', `${place} cannot be written: ${toSystemReason(error)}`, advice)
  }
}
