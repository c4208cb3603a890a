import { isLoopback, toTransport } from '@ostler/agent-api/internal'
import { textOf, type Fields } from './read-fields.ts'
import { readPairs, readTemplate, type Inputs, type Refusal } from './read-inputs.ts'
import type { RegistryWay, Template } from './registry-server.ts'

/** Reads a server at an address, or the reason why Ostler cannot connect to it. */
export function readRemote(fields: Fields): Omit<RegistryWay, 'id'> | Refusal {
  const stated = fields['type'] ?? fields['transport_type']
  const type = toTransport(stated)
  if (type === undefined || type === 'stdio')
    return { reason: `its transport ${textOf(stated) ?? ''} is not supported` }
  const { url: address } = fields
  if (typeof address !== 'string') return { reason: 'it has no URL' }
  const inputs: Inputs = new Map()
  // All variables of an address are required.
  const needed = { ...fields, isRequired: true }
  const url = readTemplate(address, needed, { kind: 'url', id: 'url', name: 'url' }, inputs)
  if ('reason' in url) return url
  const problem = urlProblem(url)
  if (problem !== undefined) return { reason: problem }
  const headers = readPairs(fields['headers'], 'header', inputs)
  if ('reason' in headers) return headers
  return {
    label: `${type} ${textOf(address) ?? ''}`,
    launch: { type, url, headers },
    inputs: [...inputs.values()],
    notes: [],
  }
}

/** An address that begins with a variable can only be checked when it is filled in. */
function urlProblem([first]: Template): string | undefined {
  if (typeof first !== 'string') return undefined
  if (!/^https?:\/\//i.test(first)) return 'its URL does not begin with https://'
  return /^https:/i.test(first) || (URL.canParse(first) && isLoopback(first))
    ? undefined
    : 'its URL has plain http to another machine, so others on the network could read and change what is sent'
}
