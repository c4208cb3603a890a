import type { ConnectionStatus } from '@ostler/agent-api/manage'
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
      const [first = '', ...rest] = (reason ?? '').split('\n')
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
