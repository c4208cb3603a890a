import { callTimes } from './call-clock.ts'
import type { Connection } from './connection.ts'
import { toToolResult } from './from-mcp-content.ts'
import type { SdkRequests } from './sdk-requests.ts'
import { parseTask } from './task.ts'

/** A server should keep the result of a task this long. */
const keptMs = 2 * 60 * 60_000

/** The requests about tasks, up to revision 2025-11-25. */
export function createTaskRequests(
  requests: SdkRequests,
  callTimeoutMs: number | undefined,
): Pick<Connection, 'startTask' | 'getTask' | 'taskResult' | 'cancelTask'> {
  return {
    async startTask(name, args, options) {
      const params = { name, arguments: args, task: { ttl: keptMs } }
      const raw = await requests.run(callTimes(options.timeoutMs ?? callTimeoutMs), options, (how) =>
        requests.send('tools/call', params, how),
      )
      return raw['task'] === undefined ? toToolResult(raw) : parseTask(raw['task'])
    },
    getTask: async (taskId, options) => parseTask(await requests.request('tasks/get', { taskId }, options)),
    // The server answers when the task has ended, which may take as long as the task.
    taskResult: async (taskId, options) =>
      toToolResult(
        await requests.run({ silenceMs: keptMs, totalMs: keptMs }, options, (how) =>
          requests.send('tasks/result', { taskId }, how),
        ),
      ),
    async cancelTask(taskId, options) {
      await requests.request('tasks/cancel', { taskId }, options)
    },
  }
}
