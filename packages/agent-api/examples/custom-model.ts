import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createAgent } from '@ostler/agent-api'

// Any package of the AI SDK will do, and so will an object of your own that is a `LanguageModelV4`.
const stable = createOpenAICompatible({
  name: 'stable',
  baseURL: process.env['STABLE_URL'] ?? 'http://127.0.0.1:11434/v1',
  includeUsage: true,
})

await using agent = createAgent({
  providers: {
    stable: {
      type: 'openai-compatible',
      open: (model) => stable.chatModel(model),
      contextSize: 32_000,
      prices: { currency: 'EUR', input: 0.2, output: 0.6 },
    },
  },
  model: 'stable/qwen3',
})
const session = agent.createSession({ cwd: process.cwd() })
for await (const event of session.prompt([{ type: 'text', text: 'What is an ostler?' }])) {
  if (event.type === 'text') process.stdout.write(event.text)
  if (event.type === 'turn_end')
    console.error(`${event.usage.inputTokens} tokens read, cost ${event.usage.cost?.amount} EUR`)
}
