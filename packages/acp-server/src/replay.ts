import type { AcpSession } from './acp-session.ts'
import { toReplayUpdates } from './to-replay-updates.ts'

/** Shows a session as it was, each update waited for, as in a turn. Throws the signal's reason when that aborts. */
export async function replay({ chat, client, capabilities }: AcpSession, signal: AbortSignal): Promise<void> {
  for await (const entry of chat.transcript()) {
    for (const update of toReplayUpdates(entry, capabilities)) {
      signal.throwIfAborted()
      await client.update(update)
    }
  }
}
