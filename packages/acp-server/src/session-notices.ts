import { setTimeout as delay } from 'node:timers/promises'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { ChatSession, Logger, ServerReport } from '@ostler/agent-api'
import { messageOf } from '@ostler/agent-api/internal'
import type { QuietPeriod } from './quiet-period.ts'
import { toAcpNotice } from './to-acp-notice.ts'

/** Notices about the servers of a session. An editor that shows no notices gets none. */
export interface SessionNotices {
  /** Sends the report, unless it is the one that was sent last. */
  send(report: ServerReport): Promise<void>
  /** Sends the current report as soon as the session may be quiet no longer. Never rejects. */
  sendCurrent(): Promise<void>
  /** Sends a report once all servers have settled, or earlier if that takes long. A slow server must not delay the problems of others. */
  sendWhenSettled(): Promise<void>
}

export interface SessionNoticesOptions {
  readonly chat: Pick<ChatSession, 'serverReport' | 'serversSettled'>
  readonly isShown: boolean
  readonly send: (update: SessionUpdate) => Promise<void>
  readonly quiet: QuietPeriod
  /** Aborts when the session ends. */
  readonly ended: AbortSignal
  readonly logger: Logger
}

const patienceMs = 5_000

export function createSessionNotices({ chat, isShown, send, quiet, ended, logger }: SessionNoticesOptions): SessionNotices {
  let sent: string | undefined

  const notices: SessionNotices = {
    async send(report) {
      const update = isShown ? toAcpNotice(report) : undefined
      if (update === undefined) return
      const notice = JSON.stringify(update)
      if (notice === sent) return
      sent = notice
      await send(update)
    },
    async sendCurrent() {
      await quiet.over()
      try {
        await notices.send(chat.serverReport())
      } catch (error) {
        logger.debug('a notice could not be sent', { error: messageOf(error) })
      }
    },
    async sendWhenSettled() {
      const patience = delay(patienceMs, undefined, { signal: ended }).catch(() => undefined)
      for (const news of [Promise.race([chat.serversSettled, patience]), chat.serversSettled]) {
        await news
        await notices.sendCurrent()
      }
    },
  }
  return notices
}
