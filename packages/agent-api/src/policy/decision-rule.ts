import { approvalWords, modeNames } from './approval-mode.ts'

/** Rules without a detail. */
const plain = {
  reads: 'it only reads in the session’s directories',
  outside: 'it works outside the session’s directories',
  sensitive: 'files like this often contain secrets or can run other programs',
  internal: 'built into Ostler, has no side effects',
  'no-approver': 'nobody could be asked',
  unknown: 'it is not a tool of this agent',
  tools: 'it is switched off',
} as const

/** Rules with a detail: what decided, and how. */
const detailed = {
  mode: modeNames,
  tool: approvalWords,
  grant: {
    allow: 'you chose “Always allow”',
    'allow:session': 'you allowed it for the session',
    command: 'you chose “Always allow” for this command',
    'command:session': 'you allowed this command for the session',
    origin: 'you chose “Always allow” for pages of this host',
    'origin:session': 'you allowed pages of this host for the session',
    folder: 'you allowed this folder for the session',
    deny: 'you chose “Always reject”',
    'deny:session': 'you rejected it for the session',
  },
  pin: { changed: 'the tool has changed since it was approved' },
  effect: { none: 'it has no effect outside Ostler' },
  call: { outdated: 'it became impossible while another question was open' },
  turn: { cancelled: 'the turn was cancelled before a decision' },
  restore: {
    unchanged: 'you asked for it, and the file had not changed since',
    changed: 'the file has changed since',
  },
  server: {
    disabled: 'its server is disabled',
    'not-chosen': 'the agent does not use its server',
    shadowed: 'the agent file has another server of this name',
    strict: 'its server is strict, and the tool is not listed',
    lists: 'toolAllowlist or toolDenylist of its server leaves it out',
  },
} as const

/** Rules that are a person's own answer. It was given in the editor, unless a place is named. */
const answered = {
  person: {
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
  },
  answer: {
    accepted: 'you answered',
    declined: 'you declined to answer',
    cancelled: 'the question was closed without an answer',
  },
} as const

type Of<Table, Place = unknown> = {
  [By in keyof Table]: { readonly by: By; readonly how: keyof Table[By] } & Place
}[keyof Table]

/** Why a call was allowed, denied or asked about. The history stores its text. */
export type Rule =
  | { readonly by: keyof typeof plain }
  | Of<typeof detailed>
  | Of<typeof answered, { readonly place?: 'console' | undefined }>
  /** A pattern of `trustedTools`, or `read-only`: what a trusted server declares. */
  | { readonly by: 'trusted'; readonly how: string }
  /** A text of another version. */
  | { readonly by: 'other'; readonly how: string }

/** `reads`, `mode:auto`, `person:allow-once:console`. */
export function toText(rule: Rule): string {
  if (rule.by === 'other') return rule.how
  const how = 'how' in rule ? `:${rule.how}` : ''
  return `${rule.by}${how}${'place' in rule && rule.place !== undefined ? `:${rule.place}` : ''}`
}

const knownRules: ReadonlyMap<string, Rule> = new Map(
  [
    ...Object.keys(plain).map((by) => ({ by })),
    ...detailsOf(detailed),
    ...detailsOf(answered).flatMap((rule) => [rule, { ...rule, place: 'console' }]),
  ].map((rule) => [toText(rule as Rule), rule as Rule]),
)

function detailsOf(tables: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  return Object.entries(tables).flatMap(([by, words]) => Object.keys(words).map((how) => ({ by, how })))
}

const trusted = 'trusted:'

export function parseRule(text: string): Rule {
  const isTrust = text.startsWith(trusted)
  return (
    knownRules.get(text) ??
    (isTrust ? { by: 'trusted', how: text.slice(trusted.length) } : { by: 'other', how: text })
  )
}

/** All texts of these rules, for queries. */
export function textsOf(by: keyof typeof answered): readonly string[] {
  return [...knownRules].flatMap(([text, rule]) => (rule.by === by ? [text] : []))
}

export function explainRule(rule: Rule): string {
  switch (rule.by) {
    case 'mode':
      return `the approval mode is “${modeNames[rule.how]}”`
    case 'tool':
      return `the tool is set to “${approvalWords[rule.how]}”`
    case 'trusted':
      return rule.how === 'read-only'
        ? 'its trusted server declares it read-only'
        : `it matches the trusted tool ${rule.how}`
    case 'other':
      return rule.how
    default: {
      const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = { ...detailed, ...answered }
      const words = 'how' in rule ? (tables[rule.by]?.[rule.how] ?? rule.how) : plain[rule.by]
      return `${words}${'place' in rule && rule.place !== undefined ? ', in the console' : ''}`
    }
  }
}

const verdictWords: Readonly<Record<string, string>> = {
  allow: 'Allowed',
  deny: 'Denied',
  cancelled: 'Cancelled',
}

/** One sentence. A reason that is an answer of the person already says what was decided. */
export function describeDecision(decision: string, text: string | null): string {
  const verdict = verdictWords[decision] ?? decision
  if (text === null) return verdict
  const rule = parseRule(text)
  const reason = explainRule(rule)
  const isAnswer = rule.by === 'person' || rule.by === 'grant' || rule.by === 'answer'
  return isAnswer ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` : `${verdict}: ${reason}`
}
