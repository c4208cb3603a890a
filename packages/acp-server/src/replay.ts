import type { AcpSession } from './acp-session.ts'
import { toReplayUpdates } from './to-replay-updates.ts'

/** Shows a stored session, waiting for each update as in a turn. Throws the signal's reason on abort. */
export async function replay({ chat, client, capabilities }: AcpSession, signal: AbortSignal): Promise<void> {
  for await (const entry of chat.transcript()) {
    for (const update of toReplayUpdates(entry, capabilities)) {
      signal.throwIfAborted()
      await client.update(update)
    }
  }
}
