import type { ModelRequest } from './loopback-model/index.ts'

/** The last tool result in a request to the model. */
export function lastResult(request: ModelRequest | undefined): string | undefined {
  return request?.messages.flatMap(({ parts }) => parts).findLast((part) => part.type === 'tool_result')?.text
}
