import { prompt } from './agents.ts'
import type { LineClient } from './line-client.ts'

export const chunks = 20_000
export const chunkTexts: readonly string[] = Array.from({ length: chunks }, (_, index) => `word${index} `)

export interface Streamed {
  readonly takenMs: number
  readonly cpuMs: number
  readonly updates: number
  readonly longestGapMs: number
}

/** Sends the prompt that the model answers with `chunkTexts`. Throws if a chunk is lost; the agent may say more than the model. */
export async function streamChunks(
  client: LineClient,
  sessionId: string,
  text: string,
  cpuMs: () => number,
): Promise<Streamed> {
  let said = ''
  let [updates, last, longestGapMs] = [0, 0, 0]
  client.onUpdate = (update) => {
    const now = performance.now()
    if (updates++ > 0) longestGapMs = Math.max(longestGapMs, now - last)
    last = now
    if (update['sessionUpdate'] === 'agent_message_chunk')
      said += (update['content'] as { text: string }).text
  }
  const [started, usedMs] = [performance.now(), cpuMs()]
  await prompt(client, sessionId, text)
  const takenMs = performance.now() - started
  if (!said.includes(chunkTexts.join(''))) throw new Error('text was lost')
  return { takenMs, cpuMs: cpuMs() - usedMs, updates, longestGapMs }
}
