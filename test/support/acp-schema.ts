import { createRequire } from 'node:module'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** The schema that ships with the SDK, because the SDK does not validate what an agent sends. */
const require = createRequire(import.meta.url)
const schema = require('@agentclientprotocol/sdk/schema/v1/schema.json') as {
  $defs: Record<string, { 'x-side'?: string; 'x-method'?: string }>
}

// The first error is enough: an update is checked against each kind of update, so the errors of all other kinds would be collected. The
// SDK's schema is valid, and checking it would take a third as long as compiling it. To optimize the compiled code takes longer than it saves.
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
})
ajv.addSchema(schema, 'acp')
ajv.addSchema(require('@agentclientprotocol/sdk/schema/v1/schema.unstable.json') as object, 'acp-unstable')

const validators = new Map<string, ValidateFunction>()

/** The names of definitions, by side, method and kind of message. */
const definitions = new Map(
  Object.entries(schema.$defs).flatMap(([name, { 'x-side': side, 'x-method': method }]) => {
    const suffix = /(?:Request|Notification|Response)$/.exec(name)?.[0]
    return suffix === undefined || side === undefined || method === undefined
      ? []
      : [[`${side} ${method} ${suffix}`, name] as const]
  }),
)

/** The schema violations in the params of an agent's call. Unknown methods are also violations. */
export function problemsOfCall(method: string, params: unknown, kind: 'request' | 'notification'): string[] {
  if (method === '$/cancel_request') return problems('CancelRequestNotification', params)
  // Sent only with the flag for it.
  if (method === 'mcp/message') return problems('MessageMcpRequest', params, 'acp-unstable')
  return problemsFor(method, 'client', kind === 'request' ? 'Request' : 'Notification', params)
}

/** The schema violations in the agent's result for an editor's request. */
export function problemsOfResult(method: string, result: unknown): string[] {
  return problemsFor(method, 'agent', 'Response', result)
}

export function problemsOfError(error: unknown): string[] {
  return problems('Error', error)
}

function problemsFor(
  method: string,
  side: string,
  suffix: 'Request' | 'Notification' | 'Response',
  value: unknown,
): string[] {
  const found = definitions.get(`${side} ${method} ${suffix}`)
  return found === undefined ? [`${method} is no ${suffix.toLowerCase()} of ACP v1`] : problems(found, value)
}

function problems(definition: string, value: unknown, from = 'acp'): string[] {
  const validate = validators.get(definition) ?? ajv.compile({ $ref: `${from}#/$defs/${definition}` })
  validators.set(definition, validate)
  return validate(value)
    ? []
    : (validate.errors ?? []).map((error) => `${definition}${error.instancePath} ${error.message ?? ''}`)
}
