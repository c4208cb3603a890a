import type { LiveServer } from '../../../api.ts'
import { Status } from '../../parts/status.tsx'
import { toAgentWords } from './agent-words.ts'
import { ConnectionProblem } from './connection-problem.tsx'
import { toLiveWords } from './connection-words.ts'

/** The state of a server in the running agents. */
export function AgentState({ used }: { readonly used: readonly LiveServer[] }) {
  const { tone, text } = toAgentWords(used)
  return <Status tone={tone}>{text}</Status>
}

/** Why agents cannot use a server. */
export function AgentFailures({ used }: { readonly used: readonly LiveServer[] }) {
  // Their last output differs, as it has times and process ids.
  const problems = new Map(used.map((running) => toLiveWords(running)).map((words) => [words.reason, words]))
  return (
    <>
      {[...problems].map(([key, words]) => (
        <ConnectionProblem key={key ?? ''} {...words} />
      ))}
    </>
  )
}
