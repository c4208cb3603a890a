import type { LiveServer } from '../../../api.ts'
import { Status } from '../../parts/status.tsx'
import { toAgentWords } from './agent-words.ts'

/** The state of a server in the running agents. */
export function AgentState({ used }: { readonly used: readonly LiveServer[] }) {
  const { tone, text } = toAgentWords(used)
  return <Status tone={tone}>{text}</Status>
}
