import { setTimeout as delay } from 'node:timers/promises'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { ChatSession, Logger, ServerReport } from '@ostler/agent-api'
import { messageOf } from '@ostler/agent-api/internal'
import type { QuietPeriod } from './quiet-period.ts'
import { toAcpNotice, toServerNotice } from './to-acp-notice.ts'

interface SessionNoticesOptions {
  readonly chat: Pick<ChatSession, 'serverReport' | 'serversSettled'>
  readonly isShown: boolean
  readonly send: (update: SessionUpdate) => Promise<void>
  readonly quiet: QuietPeriod
  /** Aborts when the session ends. */
  readonly ended: AbortSignal
  readonly logger: Logger
}

const patienceMs = 5_000
/** A server that fails repeatedly is reported at most this often. */
const newsPerServerMax = 6

/** Notices about the servers of a session. An editor that shows no notices gets none. */
export function createSessionNotices({ chat, isShown, send, quiet, ended, logger }: SessionNoticesOptions) {
  let sent: string | undefined
  /** The report that the person knows. Undefined before the first. */
  let known: ServerReport | undefined
  const told = new Map<string, number>()

  async function tell(server: string, report: ServerReport): Promise<void> {
    const count = (told.get(server) ?? 0) + 1
    told.set(server, count)
    if (count > newsPerServerMax) return
    const failure = report.failed.find((each) => each.server === server)?.reason
    const tools = report.connected.find((each) => each.server === server)?.tools ?? 0
    await send(toServerNotice(server, failure, tools))
  }

  const notices = {
    /** Sends the report, unless it is the one that was sent last. */
    async send(report: ServerReport): Promise<void> {
      known = report
      const update = isShown ? toAcpNotice(report) : undefined
      if (update === undefined) return
      const notice = JSON.stringify(update)
      if (notice === sent) return
      sent = notice
      await send(update)
    },
    /** Sends the current report once the quiet period is over. Never rejects. */
    async sendCurrent(): Promise<void> {
      await quiet.over()
      try {
        await notices.send(chat.serverReport())
      } catch (error) {
        logger.debug('a notice could not be sent', { error: messageOf(error) })
      }
    },
    /** Sends changes since the last report, each once: a lost server, one that is back, or one that needs a login. Never rejects. */
    async sendNews(): Promise<void> {
      if (!isShown || known === undefined) return
      await quiet.over()
      const report = chat.serverReport()
      const changed = changedServers(known, report)
      known = report
      // The next report of a prompt would repeat it.
      if (changed.length > 0) sent = JSON.stringify(toAcpNotice(report))
      try {
        for (const server of changed) await tell(server, report)
      } catch (error) {
        logger.debug('a notice could not be sent', { error: messageOf(error) })
      }
    },
    /** Sends a report once all servers have settled, or earlier if that takes long. A slow server must not delay the problems of others. */
    async sendWhenSettled(): Promise<void> {
      const patience = delay(patienceMs, undefined, { signal: ended }).catch(() => undefined)
      for (const news of [Promise.race([chat.serversSettled, patience]), chat.serversSettled]) {
        await news
        await notices.sendCurrent()
      }
    },
  }
  return notices
}

/** The servers that were lost, are back, or now need a login. A reason that is merely worded differently does not count as a change. */
function changedServers(before: ServerReport, now: ServerReport): string[] {
  const failures = new Map(before.failed.map(({ server, reason }) => [server, reason]))
  const connected = new Set(before.connected.map(({ server }) => server))
  const lost = now.failed.filter(({ server, reason }) => {
    const old = failures.get(server)
    return old === undefined ? connected.has(server) : asksForLogin(reason) && !asksForLogin(old)
  })
  const returned = now.connected.filter(({ server }) => failures.has(server))
  return [...lost, ...returned].map(({ server }) => server)
}

function asksForLogin(reason: string): boolean {
  return reason.includes('ostler mcp login')
}
