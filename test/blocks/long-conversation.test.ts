import { expect, test } from 'vitest'
import { silentLogger } from '../../packages/agent-api/src/base/logger.ts'
import { measureMessages } from '../../packages/agent-api/src/context/estimate-tokens.ts'
import { emptyGauge } from '../../packages/agent-api/src/context/gauge.ts'
import { makeRoom } from '../../packages/agent-api/src/context/make-room.ts'
import { createConversation } from '../../packages/agent-api/src/messages/conversation.ts'
import { openModel } from '../../packages/agent-api/src/provider/open-model.ts'
import { toModelPrompt } from '../../packages/agent-api/src/provider/to-model-prompt.ts'
import { createUsageMeter } from '../../packages/agent-api/src/turn/usage-meter.ts'
import { longConversation } from '../support/long-conversation.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'
import { withWindow } from '../support/loopback-model/window.ts'
import { loopWorkMaxMs, startLoopMonitor } from '../support/loop-monitor.ts'

const messages = longConversation(25_000)
const frame = { systemPrompt: 'Be kind.', tools: { wireTools: [], tokens: 0 } }

test('a conversation of 100,000 messages becomes a request in slices', async () => {
  await using monitor = startLoopMonitor()
  await monitor.reset()
  await toModelPrompt('Be kind.', messages, 'openai-compatible')
  expect(await monitor.longestWorkMs()).toBeLessThan(loopWorkMaxMs)
})

test('making room in a conversation of 100,000 messages blocks nothing, whatever the window of the model that writes the summary', async () => {
  const size = 20_000
  await using server = await startLoopbackModel({
    vendor: 'openai',
    script: withWindow({ size, vendor: 'openai' }, []),
  })
  const model = await openModel(
    server.modelId,
    { providers: {}, env: server.env },
    { redact: (text) => text },
  )
  // The garbage of earlier work may be collected in the first turns, so the best of three counts.
  let longest = Infinity
  for (let round = 0; round < 3 && longest >= loopWorkMaxMs; round++)
    longest = Math.min(longest, await longestTurn(longConversation(25_000)))
  expect(longest).toBeLessThan(loopWorkMaxMs)

  async function longestTurn(given: typeof messages): Promise<number> {
    const gauge = { current: emptyGauge(model.id) }
    const conversation = createConversation({ messages: given })
    const ports = {
      model: { ...model, contextSize: size },
      settings: {
        thoughtLevel: 'off' as const,
        cacheKey: 'long',
        searchRefusedBy: new Set<string>(),
        compactAt: 0.8,
      },
      openSideModel: () => Promise.resolve({ ...model, contextSize: size }),
      conversation,
      gauge,
      usage: createUsageMeter({ model, gauge, cost: { current: undefined } }),
      emit: () => Promise.resolve(),
      logger: silentLogger,
    }
    await using monitor = startLoopMonitor()
    await monitor.reset()
    await measureMessages(given)
    await makeRoom(ports, frame, new AbortController().signal)
    expect(conversation.messages.length).toBeLessThan(given.length / 10)
    return await monitor.longestWorkMs()
  }
})
