import type { CallStatus } from '@ostler/agent-api/manage'
import type { Tone } from '../../parts/status.tsx'
import { modeName } from '../../text/mode-name.ts'

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
  cancelled: 'you closed the question without an answer',
  'allow-once': 'you allowed it once',
  'allow-session': 'you allowed it for the session',
  'allow-always': 'you always allow it',
  'allow-server': 'you always allow this server',
  'deny-once': 'you rejected it',
  'deny-session': 'you rejected it for the session',
  'deny-always': 'you always reject it',
}

const answerWords: Readonly<Record<string, string>> = {
  accepted: 'you answered',
  declined: 'you declined to answer',
  cancelled: 'the question was closed without an answer',
}

const grantWords: Readonly<Record<string, string>> = {
  allow: 'you chose “Always allow”',
  'allow:session': 'you allowed it for the session',
  command: 'you chose “Always allow” for this command',
  'command:session': 'you allowed this command for the session',
  origin: 'you chose “Always allow” for pages of this host',
  'origin:session': 'you allowed pages of this host for the session',
  folder: 'you allowed this folder for the session',
  deny: 'you chose “Always reject”',
  'deny:session': 'you rejected it for the session',
}

const toolWords: Readonly<Record<string, string>> = { allow: 'Allow', ask: 'Ask', deny: 'Deny' }

const serverWords: Readonly<Record<string, string>> = {
  disabled: 'its server is disabled',
  'not-chosen': 'the agent does not use its server',
  shadowed: 'the agent file has another server of this name',
  strict: 'its server is strict, and the tool is not listed',
  lists: 'toolAllowlist or toolDenylist of its server leaves it out',
}

/** `allow-once:console`: where it was answered, if not in the editor. */
function placed(words: Readonly<Record<string, string>>, detail: string): string {
  const [answer = '', place] = detail.split(':')
  return `${words[answer] ?? `you decided (${answer})`}${place === 'console' ? ', in the console' : ''}`
}

/** The rule that decided, in words. The page shows its name beside it. */
export function explainRule(rule: string): string {
  const [area = '', ...rest] = rule.split(':')
  const detail = rest.join(':')
  switch (area) {
    case 'mode':
      return `the approval mode is “${modeName(detail)}”`
    case 'tool':
      return `the tool is set to “${toolWords[detail] ?? detail}”`
    case 'grant':
      return grantWords[detail] ?? 'you answered it before'
    case 'pin':
      return 'the tool has changed since it was approved'
    case 'trusted':
      return detail === 'read-only' ? 'its trusted server declares it read-only' : `it matches the trusted tool ${detail}`
    case 'person':
      return placed(personWords, detail)
    case 'answer':
      return placed(answerWords, detail)
    case 'reads':
      return 'it only reads in the session’s directories'
    case 'effect':
      return 'it has no effect outside Ostler'
    case 'call':
      return 'it became impossible while another question was open'
    case 'outside':
      return 'it works outside the session’s directories'
    case 'sensitive':
      return 'files like this often contain secrets or can run other programs'
    case 'tools':
      return 'it is switched off'
    case 'server':
      return serverWords[detail] ?? 'its server is not used'
    case 'unknown':
      return 'it is not a tool of this agent'
    case 'turn':
      return 'the turn was cancelled before a decision'
    case 'no-approver':
      return 'nobody could be asked'
    case 'internal':
      return 'built into Ostler, has no side effects'
    default:
      return rule
  }
}

const verdictWords: Readonly<Record<string, string>> = { allow: 'Allowed', deny: 'Denied', cancelled: 'Cancelled' }

/** The decision on a call in one sentence. A reason that is an answer of the person already says what was decided. */
export function describeDecision(decision: string, rule: string | null): string {
  const verdict = verdictWords[decision] ?? decision
  if (rule === null) return verdict
  const reason = explainRule(rule)
  const isAnswer = /^(person|grant|answer):/.test(rule)
  return isAnswer ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` : `${verdict}: ${reason}`
}
