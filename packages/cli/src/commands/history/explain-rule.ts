/** Explains a decision to a person, followed by the name of the rule. */
export function explainRule(decision: string | null, rule: string | null): string {
  if (decision === null || rule === null) return 'not decided'
  const reason = reasonOf(rule)
  return reason === undefined ? `${decision} (${rule})` : `${reason} (${rule})`
}

const reasons: Readonly<Record<string, string>> = {
  'person:allow-once': 'you allowed this call',
  'person:allow-session': 'you allowed it for the session',
  'person:allow-always': 'you always allow it',
  'person:allow-server': 'you always allow the tools of this server',
  'person:deny-once': 'you rejected this call',
  'person:deny-session': 'you rejected it for the session',
  'person:deny-always': 'you always reject this tool',
  'person:cancelled': 'you closed the question without an answer',
  'person:command': 'you called it on the command line',
  'person:console': 'you called it in the console',
  'answer:accepted': 'you answered',
  'answer:declined': 'you declined to answer',
  'answer:cancelled': 'the question was closed without an answer',
  'mode:auto': 'allowed by the approval mode',
  'mode:read-only': 'denied: the mode is read-only',
  'grant:allow': 'allowed: you chose "Always allow" for this tool',
  'grant:allow:session': 'allowed: you allowed this tool for the session',
  'grant:command': 'allowed: you chose "Always allow" for this command',
  'grant:command:session': 'allowed: you allowed this command for the session',
  'grant:origin': 'allowed: you chose "Always allow" for pages of this host',
  'grant:origin:session': 'allowed: you allowed pages of this host for the session',
  'grant:folder': 'allowed: you allowed this folder for the session',
  'grant:deny': 'denied: you chose "Always reject"',
  'grant:deny:session': 'denied: you rejected this tool for the session',
  'effect:none': 'allowed: it has no effect outside Ostler',
  reads: "allowed: it only reads in the session's directories",
  'tool:allow': 'allowed by the configuration of the tool',
  'tool:deny': 'denied by the configuration of the tool',
  'trusted:read-only': 'allowed: its trusted server declares it read-only',
  'call:outdated': 'denied: it became impossible while another question was open',
  'turn:cancelled': 'the turn was cancelled before a decision',
  'no-approver': 'denied: nobody could be asked',
  internal: 'allowed: built into Ostler, has no side effects',
}

function reasonOf(rule: string): string | undefined {
  const trusted = /^trusted:(.+)$/.exec(rule)?.[1]
  const inConsole = /^((?:person|answer):.+):console$/.exec(rule)?.[1]
  if (inConsole !== undefined) return `${reasons[inConsole] ?? inConsole}, in the console`
  return reasons[rule] ?? (trusted === undefined ? undefined : `allowed: trustedTools has ${trusted}`)
}
