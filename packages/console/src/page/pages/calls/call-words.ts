import type { CallStatus } from '@ostler/agent-api'
import type { Tone } from '../../parts/status.tsx'

export const callTones: Readonly<Record<CallStatus, Tone>> = {
  pending: 'busy',
  running: 'busy',
  success: 'good',
  error: 'bad',
  denied: 'warn',
  cancelled: 'off',
  interrupted: 'warn',
}

/** The rule that decided, in words; its name goes with it. */
export function explainRule(rule: string): string {
  const [area = '', ...rest] = rule.split(':')
  const detail = rest.join(':')
  switch (area) {
    case 'mode':
      return `the approval mode (${detail})`
    case 'tool':
      return `the tool’s own setting (${detail})`
    case 'grant':
      return detail === 'deny' ? 'a lasting no' : 'a lasting yes'
    case 'pin':
      return 'the tool has changed since it was approved'
    case 'trusted':
      return detail === 'read-only' ? 'a trusted server calls it read-only' : `trusted tools: ${detail}`
    case 'person':
      return `a person, in the ${detail === 'console' ? 'console' : detail === 'command' ? 'command line' : detail}`
    case 'internal':
      return 'Ostler’s own, without effect'
    default:
      return rule
  }
}
