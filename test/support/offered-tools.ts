import { builtinToolNames } from '@ostler/agent-api/internal'
import type { ModelRequest } from './loopback-model/index.ts'

const builtin: ReadonlySet<string> = new Set(builtinToolNames)

/** The names of the tools in a request to the model, without the built-in ones. */
export function offeredTools(request: ModelRequest | undefined): string[] {
  return (request?.tools ?? []).map(({ name }) => name).filter((name) => !builtin.has(name))
}
