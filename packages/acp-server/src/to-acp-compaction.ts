import type { CompactionEvent } from '@ostler/agent-api/internal'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { EditorCapabilities } from './editor/from-acp-client-capabilities.ts'

/** A compaction in the form that the editor supports: as a compaction, as a notice when it has ended, or as a line of text. */
export function toAcpCompaction(
  event: CompactionEvent,
  { compaction, notices }: Pick<EditorCapabilities, 'compaction' | 'notices'>,
): SessionUpdate | undefined {
  const { id, status, summary, error } = event
  if (compaction) {
    return {
      sessionUpdate: 'compaction_update',
      compactionId: id,
      status,
      ...(summary !== undefined && { summary: [{ type: 'text', text: summary }] }),
      error,
    }
  }
  if (status !== 'completed' && status !== 'failed') return undefined
  const title =
    status === 'completed'
      ? 'Older messages were replaced with a summary for the model'
      : 'The conversation could not be summarized'
  const description = [sizes(event), error].filter((line) => line !== undefined).join(' ')
  if (notices)
    return { sessionUpdate: 'notice', severity: error === undefined ? 'info' : 'warning', title, description }
  const text = `> ${title}.${description === '' ? '' : ` ${description}`}\n\n`
  return { sessionUpdate: 'agent_message_chunk', messageId: id, content: { type: 'text', text } }
}

function sizes({ tokensBefore, tokensAfter }: CompactionEvent): string | undefined {
  if (tokensBefore === undefined || tokensAfter === undefined) return undefined
  return `About ${tokensBefore.toLocaleString('en')} tokens became ${tokensAfter.toLocaleString('en')}.`
}
