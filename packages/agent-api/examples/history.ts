import { join } from 'node:path'
import { createAgent, type ChatSession } from '@ostler/agent-api'

const cwd = process.cwd()
const openAgent = () => createAgent({ name: 'stable', stateDir: join(cwd, 'state') })

async function ask(session: ChatSession, text: string): Promise<void> {
  for await (const event of session.prompt([{ type: 'text', text }]))
    if (event.type === 'text') process.stdout.write(event.text)
  process.stdout.write('\n')
}

async function firstDay(): Promise<string> {
  await using agent = openAgent()
  const session = agent.createSession({ cwd })
  await ask(session, 'My horse is called Juno.')
  return session.id
}

async function secondDay(id: string): Promise<void> {
  await using agent = openAgent()
  for (const { title, turns } of agent.listSessions({ limit: 10 }))
    console.error(`${title}: ${turns} prompts`)
  const session = await agent.reopenSession(id, { cwd })
  await ask(session, 'What is my horse called?')
  for await (const entry of session.transcript())
    console.error(`${entry.turn} ${entry.kind === 'event' ? entry.event.type : entry.kind}`)
  await session[Symbol.asyncDispose]()
  await agent.deleteSession(id)
}

await secondDay(await firstDay())
