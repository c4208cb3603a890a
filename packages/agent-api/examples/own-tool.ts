import { createAgent, defineTool } from '@ostler/agent-api'

const boxes = new Map([
  ['Bramble', 3],
  ['Juno', 7],
])

const findBox = defineTool({
  name: 'find_box',
  description: 'Returns the box of a horse',
  kind: 'read',
  inputSchema: {
    type: 'object',
    properties: { horse: { type: 'string' } },
    required: ['horse'],
    additionalProperties: false,
  },
  execute({ horse }) {
    const box = boxes.get(String(horse))
    if (box === undefined)
      throw new Error(`There is no horse ${String(horse)}, only ${[...boxes.keys()].join(' and ')}.`)
    return `Box ${box}`
  },
})

await using agent = createAgent({
  tools: { mode: 'open', tools: [findBox] },
  builtinTools: false,
  mode: 'trusted-only',
  trustedTools: ['ostler:find_box'],
})
const session = agent.createSession({ cwd: process.cwd() })
for await (const event of session.prompt([{ type: 'text', text: 'Find the box of Juno.' }])) {
  if (event.type === 'tool_call') console.error(`> ${event.call.title}`)
  if (event.type === 'text') process.stdout.write(event.text)
}
