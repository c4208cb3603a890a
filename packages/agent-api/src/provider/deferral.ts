import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { isRecord } from '../base/is-record.ts'
import { isLoopback } from '../base/loopback.ts'
import { builtInProviders } from './built-in-providers.ts'
import type { ProviderAccess } from './find-provider.ts'
import type { Vendor } from './model.ts'
import type { ModelCall } from './stream-model.ts'

/**
 * How a model gets the schemas that wait. `vendor`: the vendor's own search loads them. `result`: they are part of results, and `use_tool`
 * makes the calls. `list`: tools that are found join the list. docs/decisions/0015-waiting-schemas.md says which model gets which.
 */
export type Deferral = 'vendor' | 'result' | 'list'

/** By the model's name: those with a tool search. */
const searching: Readonly<Partial<Record<Vendor, RegExp>>> = {
  anthropic: /^claude-(?:[a-z]+-4-[5-9]|[a-z]+-(?:[5-9]|\d{2})(?:-|$))/,
  openai: /^gpt-(?:5\.[4-9]|[6-9]|\d{2})/,
}

/** Models with a larger window are served for many, from a cache, or read a schema in a result well enough. */
const smallWindowMax = 65_536

export function deferralOf(
  vendor: Vendor,
  model: string,
  contextSize: number,
  { name, baseUrl, open }: Pick<ProviderAccess, 'name' | 'baseUrl' | 'open'>,
): Deferral {
  if (open === undefined && searching[vendor]?.test(model) === true) return 'vendor'
  const isLocal =
    builtInProviders[name]?.isLocal === true ||
    (vendor === 'openai-compatible' &&
      !Object.hasOwn(builtInProviders, name) &&
      baseUrl !== '' &&
      isLoopback(baseUrl))
  return isLocal && contextSize <= smallWindowMax ? 'list' : 'result'
}

/** The vendor's search takes the place of Ostler's own tools. */
const searchTools = {
  anthropic: { id: 'anthropic.tool_search_bm25_20251119', name: 'tool_search_tool_bm25' },
  openai: { id: 'openai.tool_search', name: 'tool_search' },
} as const

/** The request to a vendor that searches by itself: it gets every definition, and keeps those that wait out of the prompt. */
export function withVendorSearch(vendor: Vendor, { waiting, ...call }: ModelCall): ModelCall {
  if (vendor !== 'anthropic' && vendor !== 'openai') return withoutWaiting({ waiting, ...call })
  const tools = call.tools?.flatMap((tool): NonNullable<ModelCall['tools']> => {
    const { deferral, server } = waiting?.get(tool.name) ?? {}
    if (deferral === 'find') return [{ type: 'provider', ...searchTools[vendor], args: {} }]
    if (deferral === 'call') return []
    if (deferral === undefined || tool.type !== 'function') return [tool]
    return [
      { ...tool, providerOptions: { [vendor]: { deferLoading: true, ...namespaceOf(vendor, server) } } },
    ]
  })
  return { ...call, tools, prompt: fitSearches(call, true) }
}

/** Models of OpenAI read only the names of namespaces. Servers whose names look alike share one, because its description must not differ. */
function namespaceOf(vendor: Vendor, server: string | null | undefined) {
  if (vendor !== 'openai' || server == null) return {}
  const name = server.replace(/[^A-Za-z0-9_-]/g, '_')
  return { namespace: { name, description: `Tools of the MCP server ${name}` } }
}

/** The request to all others: definitions that wait are left out, and so is what a vendor's search has found before. */
export function withoutWaiting({ waiting, ...call }: ModelCall): ModelCall {
  const tools = call.tools?.filter(({ name }) => waiting?.get(name)?.deferral !== 'deferred')
  return { ...call, ...(tools && { tools }), prompt: fitSearches(call, false) }
}

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]

/** Vendors reject a search without their search tool, one that was cut off before its result, and a reference to a tool that is gone. */
function fitSearches({ prompt, tools = [] }: ModelCall, searches: boolean): ModelCall['prompt'] {
  const names = new Set(tools.map(({ name }) => name))
  const fit = (content: AssistantPart[]) => {
    const found = new Set(content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])))
    return content.flatMap((part): AssistantPart[] => {
      if (part.type === 'tool-result') return searches ? [withReferences(part, names)] : []
      const isSearch = part.type === 'tool-call' && part.providerExecuted === true
      return isSearch && !(searches && found.has(part.toolCallId)) ? [] : [part]
    })
  }
  return prompt
    .map((message) =>
      message.role === 'assistant' ? { ...message, content: fit(message.content) } : message,
    )
    .filter(({ content }) => content.length > 0)
}

function withReferences(part: LanguageModelV4ToolResultPart, names: ReadonlySet<string>): AssistantPart {
  const { output } = part
  if (output.type !== 'json' || !Array.isArray(output.value)) return part
  const isKnown = (found: unknown) => !isRecord(found) || names.has(String(found['toolName']))
  return { ...part, output: { ...output, value: output.value.filter(isKnown) } }
}
