import type { ConnectionStatus } from '@ostler/agent-api/manage'
import type { LiveServer } from '../../../api.ts'
import type { Tone } from '../../parts/status.tsx'

export interface ConnectionWords {
  readonly tone: Tone
  readonly word: string
  /** The error in one line. `more` holds the server's output. */
  readonly reason?: string
  readonly more?: string
}

/** The state of a connection in words. */
export function toConnectionWords({ state, reason, willRetry = false, needsLogin }: ConnectionStatus): ConnectionWords {
  switch (state) {
    case 'connected':
      return { tone: 'good', word: 'Connected' }
    case 'connecting':
      return { tone: 'busy', word: 'Connecting' }
    case 'disconnected':
      return { tone: 'off', word: 'Disconnected' }
    case 'error': {
      const [first = '', ...rest] = needsLogin === true ? [withoutCommand(reason)] : (reason ?? '').split('\n')
      const more = rest.join('\n').trim()
      return {
        tone: needsLogin === true ? 'warn' : 'bad',
        word: needsLogin === true ? 'Needs login' : willRetry ? 'Error, retrying' : 'Error',
        ...(first === '' ? {} : { reason: first }),
        ...(more === '' ? {} : { more }),
      }
    }
  }
}

/** The state of a server in an agent. */
export function toLiveWords({ status, reason, needsLogin }: Pick<LiveServer, 'status' | 'reason' | 'needsLogin'>): ConnectionWords {
  return toConnectionWords({ state: status, ...(reason !== undefined && { reason }), ...(needsLogin !== undefined && { needsLogin }) })
}

/** The word says that a login is missing, and the page has a button for it. */
function withoutCommand(reason = ''): string {
  return reason.replace(/^It needs a login\.| Run: .*/gs, '')
}
