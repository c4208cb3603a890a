/** Explains a decision to a person, followed by the name of the rule. */
export function explainRule(decision: string | null, rule: string | null): string {
  if (decision === null || rule === null) return 'nothing was decided'
  const reason = reasonOf(rule)
  return reason === undefined ? `${decision} (${rule})` : `${reason} (${rule})`
}

const reasons: Readonly<Record<string, string>> = {
  'person:allow-once': 'you allowed this call',
  'person:allow-session': 'you allowed this tool for the session',
  'person:allow-always': 'you allowed this tool for always',
  'person:allow-server': 'you allowed all tools of this server for always',
  'person:deny-once': 'you rejected this call',
  'person:deny-session': 'you rejected this tool for the session',
  'person:deny-always': 'you rejected this tool for always',
  'person:cancelled': 'the question was cancelled',
  'person:command': 'you called it on the command line',
  'person:console': 'you called it in the console',
  'mode:auto': 'allowed: nothing is asked in this mode',
  'grant:allow': 'allowed: you had allowed this tool before',
  'grant:deny': 'denied: you had rejected this tool before',
  'tool:allow': 'allowed by the configuration of the tool',
  'tool:deny': 'denied by the configuration of the tool',
  'trusted:read-only': 'allowed: its trusted server says that it only reads',
  'turn:cancelled': 'the turn was cancelled before it was decided',
  'no-approver': 'denied: there was nobody to ask',
  internal: "allowed: it is Ostler's own and changes nothing",
}

function reasonOf(rule: string): string | undefined {
  const trusted = /^trusted:(.+)$/.exec(rule)?.[1]
  return reasons[rule] ?? (trusted === undefined ? undefined : `allowed: trustedTools has ${trusted}`)
}
