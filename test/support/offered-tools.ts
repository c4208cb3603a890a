import { builtinToolNames } from '@ostler/agent-api/internal'
import type { AgentLab } from './agent-lab.ts'
import type { ModelRequest } from './loopback-model/index.ts'

const builtin: ReadonlySet<string> = new Set(builtinToolNames)

/** The names of the tools in a request to the model, without the built-in ones. */
export function offeredTools(request: ModelRequest | undefined): string[] {
  return (request?.tools ?? []).map(({ name }) => name).filter((name) => !builtin.has(name))
}

/** The same for a request of a lab: the last one, or that of a step. */
export function offeredIn({ model }: Pick<AgentLab, 'model'>, step = -1): string[] {
  return offeredTools(model.requests.at(step))
}
