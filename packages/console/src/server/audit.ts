import { textResult } from '@ostler/agent-api'
import { createToolCallId, recorded, type Calls } from '@ostler/agent-api/internal'

/** Actions of a person in the console that others may need to know about. They are recorded as calls of the console's tools. */
export interface Audit {
  /** Recorded before it is done. `details` contain no secrets. */
  run<T>(action: Action, details: Readonly<Record<string, unknown>>, work: () => Promise<T> | T): Promise<T>
}

type Action =
  | 'add-server'
  | 'update-server'
  | 'remove-server'
  | 'test-server'
  | 'connect-server'
  | 'disconnect-server'
  | 'log-in'
  | 'read-resource'
  | 'get-prompt'
  | 'answer-server'
  | 'replay-request'
  | 'subscribe'
  | 'unsubscribe'
  | 'set-log-level'
  | 'change-agent'
  | 'revoke-grant'
  | 'delete-session'
  | 'switch-tool'

export function createAudit({ recorder }: Calls, agent: () => Promise<string>): Audit {
  return {
    async run(action, details, work) {
      const calls = recorder({ agent: await agent() })
      const start = { id: createToolCallId(), server: null, tool: `console:${action}`, arguments: details }
      const { value } = await recorded(calls, start, async (record) => {
        record.decided('allow', { by: 'person', how: 'console' })
        record.running()
        return { value: await work(), outcome: 'success', result: textResult('done') }
      })
      return value
    },
  }
}
