import { messageOf } from '../base/errors.ts'
import { createReportId } from '../base/ids.ts'
import { atMost, orAborted } from '../base/or-aborted.ts'
import type { McpClient } from '../mcp/mcp-client.ts'
import type { ServerReport } from '../messages/turn-event.ts'
import { hasProblems } from '../servers/server-report.ts'
import type { Turn } from '../turn/turn.ts'
import type { Session } from './session.ts'
import type { SessionMemory } from './session-memory.ts'
import { clientsOf } from './toolbox.ts'
import { warmUpKnown } from './warm-up.ts'

/** A prompt continues after this time without the servers that are still connecting, unless the agent file says otherwise. */
export const connectWaitMsDefault = 1_000

/**
 * Slower servers continue to connect, and a later step offers their tools. No later prompt waits for the same attempt again. An immediate
 * command waits only for those that decide whether the agent may start.
 */
export async function waitForServers(
  { toolbox, record, report, logger }: Pick<Session, 'toolbox' | 'record' | 'report' | 'logger'>,
  prompt: string,
  isImmediate: boolean,
  emit: Turn['emit'],
  signal: AbortSignal,
): Promise<void> {
  const { shared, servers, waitedFor } = toolbox
  const tell = () => tellReport(record.memory, report(), isImmediate, emit)
  if (!isImmediate) {
    const sets = [shared.servers, servers]
    const attempts = sets.flatMap((set) => [...set.clients.values()].map((client) => client.settled))
    const ready = Promise.all([...sets.map((set) => set.ready(waitedFor)), shared.checked])
    if ([...clientsOf(toolbox).values()].some((client) => isNew(client) && !waitedFor.has(client.settled)))
      warmUpKnown(toolbox, prompt).catch((error: unknown) =>
        logger.debug('no known server was started early', { error: messageOf(error) }),
      )
    await atMost(shared.connectWaitMs, orAborted(ready, signal, undefined), undefined)
    // A prompt that was cancelled has not waited as long as it may.
    if (!signal.aborted) for (const attempt of attempts) waitedFor.add(attempt)
  }
  await tell()
  if (!(await isPending(shared.checked))) return
  // The servers that decide whether the agent may start have their own timeouts, which may be longer.
  await orAborted(shared.checked, signal, undefined)
  // The shutdown after a failed start also cancels the turn. The failure takes precedence.
  await isPending(shared.checked)
  if (!signal.aborted) await tell()
}

/** True for a server that the prompt waits for. */
function isNew({ status, isAnticipated }: McpClient): boolean {
  return status.state === 'connecting' && !isAnticipated
}

/** Rejects if the promise was rejected. */
async function isPending(promise: Promise<void>): Promise<boolean> {
  return (await Promise.race([promise, Promise.resolve(true)])) === true
}

/**
 * Tells what is new, each thing once. If no prompt has waited for the servers, it is not a problem yet that they are still connecting.
 */
export async function tellReport(
  memory: SessionMemory,
  report: ServerReport,
  isImmediate: boolean,
  emit: Turn['emit'],
): Promise<void> {
  if (isImmediate && report.waiting.length > 0) return
  const { waiting, failed, warnings, remarks = [], ...others } = report
  const problems = hasProblems(report) ? JSON.stringify([waiting, failed, warnings]) : ''
  const before = memory.reported
  const newRemarks = remarks.filter((remark) => before?.remarks.includes(remark) !== true)
  const hasNewRemarks = newRemarks.length > 0
  if (problems === before?.problems && !hasNewRemarks) return
  const missed = new Set(before?.failed)
  const returned = report.connected.map(({ server }) => server).filter((server) => missed.has(server))
  memory.reported = { problems, remarks, failed: failed.map(({ server }) => server) }
  if (before !== undefined && problems === '' && returned.length === 0 && !hasNewRemarks) return
  const isKnown = problems === before?.problems
  await emit({
    type: 'server_report',
    messageId: createReportId(),
    report: {
      ...others,
      ...(isKnown ? { waiting: [], failed: [], warnings: [] } : { waiting, failed, warnings }),
      ...(hasNewRemarks && { remarks: newRemarks }),
      ...(returned.length > 0 && { returned }),
    },
  })
}
