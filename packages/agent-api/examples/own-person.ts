import { createInterface } from 'node:readline/promises'
import { createAgent, type ApprovalQuestion, type Person } from '@ostler/agent-api'

using terminal = createInterface({ input: process.stdin, output: process.stderr })
const ended = new AbortController()
terminal.on('close', () => ended.abort())

const person: Person = {
  async ask({ call, args, plan, lasting }: ApprovalQuestion, signal) {
    const details = JSON.stringify(plan?.command?.line ?? args)
    const choices = lasting.type === 'nothing' ? '[y]es, [n]o' : '[y]es, [a]lways in this session, [n]o'
    const key = await terminal.question(`${call.title}: ${details}\n${choices}? `, {
      signal: AbortSignal.any([signal, ended.signal]),
    })
    if (key === 'a') return { verdict: 'allow', scope: 'session' }
    return { verdict: key === 'y' ? 'allow' : 'deny', scope: 'once' }
  },
}

await using agent = createAgent({ mode: 'always-ask' })
const session = agent.createSession({ cwd: process.cwd(), person })
for await (const event of session.prompt([
  { type: 'text', text: 'Write a line about horses to NOTES.md.' },
])) {
  if (event.type === 'tool_call_update' && event.update.end !== undefined)
    console.error(`The call ended: ${event.update.end}`)
  if (event.type === 'text') process.stdout.write(event.text)
}
