import { builtinToolNames } from '@ostler/agent-api/internal'
import type { AgentLab } from './agent-lab.ts'
import type { ModelRequest } from './loopback-model/index.ts'
import { textOf } from './loopback-model/script.ts'

const builtin: ReadonlySet<string> = new Set(builtinToolNames)

/** The names of the tools in a request to the model, without the built-in ones and without those whose schemas wait. */
export function offeredTools(request: ModelRequest | undefined): string[] {
  return (request?.tools ?? [])
    .filter(({ name, isDeferred }) => !builtin.has(name) && isDeferred !== true)
    .map(({ name }) => name)
}

/** The names of the tools that the last note of a request tells, because they match the prompt. */
export function toldTools(request: ModelRequest | undefined): string[] {
  const text = request?.messages.map(textOf).join('\n') ?? ''
  const [, list = ''] = text.split('These tools match the prompt:').slice(-2)
  return [...list.matchAll(/^- ([\w-]+)/gm)].map(([, name]) => name ?? '')
}

/** The same for a request of a lab: the last one, or that of a step. */
export function offeredIn({ model }: Pick<AgentLab, 'model'>, step = -1): string[] {
  return offeredTools(model.requests.at(step))
}
