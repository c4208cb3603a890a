import type { CallStatus } from '@ostler/agent-api/manage'
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

const personWords: Readonly<Record<string, string>> = {
  console: 'you called it in the console',
  command: 'you called it on the command line',
  cancelled: 'the question was cancelled',
  'allow-once': 'you allowed it once',
  'allow-session': 'you allowed it for the session',
  'allow-always': 'you always allow it',
  'allow-server': 'you always allow this server',
  'deny-once': 'you rejected it',
  'deny-session': 'you rejected it for the session',
  'deny-always': 'you always reject it',
}

const grantWords: Readonly<Record<string, string>> = {
  deny: 'you chose “Always reject”',
  command: 'you chose “Always allow” for this command',
  origin: 'you chose “Always allow” for pages of this host',
  folder: 'you allowed this folder for the session',
}

const serverWords: Readonly<Record<string, string>> = {
  disabled: 'its server is disabled',
  'not-chosen': 'the agent does not use its server',
  shadowed: 'the agent file has another server of this name',
  strict: 'its server is strict, and the tool is not listed',
}

/** `allow-once:console`: where it was answered, if not in the editor. */
function person(detail: string): string {
  const [answer = '', place] = detail.split(':')
  return `${personWords[answer] ?? `you decided (${answer})`}${place === 'console' ? ', in the console' : ''}`
}

/** The rule that decided, in words. The page shows its name beside it. */
export function explainRule(rule: string): string {
  const [area = '', ...rest] = rule.split(':')
  const detail = rest.join(':')
  switch (area) {
    case 'mode':
      return `the approval mode is ${detail}`
    case 'tool':
      return `the tool is set to ${detail}`
    case 'grant':
      return grantWords[detail] ?? 'you chose “Always allow”'
    case 'pin':
      return 'the tool has changed since it was approved'
    case 'trusted':
      return detail === 'read-only' ? 'its trusted server declares it read-only' : `it matches the trusted tool ${detail}`
    case 'person':
      return person(detail)
    case 'reads':
      return 'it only reads in the session’s directories'
    case 'effect':
      return 'it has no effect outside Ostler'
    case 'call':
      return 'it was no longer possible when you answered'
    case 'outside':
      return 'it works outside the session’s directories'
    case 'sensitive':
      return 'the file usually holds secrets, or makes a program run'
    case 'tools':
      return 'it is switched off'
    case 'server':
      return serverWords[detail] ?? 'its server is not used'
    case 'unknown':
      return 'it is not a tool of this agent'
    case 'internal':
      return 'built into Ostler, has no side effects'
    default:
      return rule
  }
}
