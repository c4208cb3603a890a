import type { Client } from '@modelcontextprotocol/client'
import { mapInSlices } from '../base/in-slices.ts'
import { isRecord } from '../base/is-record.ts'
import { exceededLimit } from '../base/json-limits.ts'
import { stripHiddenLine } from '../base/strip-hidden.ts'
import { cleaning } from '../redaction/text-cleaner.ts'
import { cleanOutputs } from '../redaction/redact-result.ts'
import { redactValue } from '../redaction/redact-value.ts'
import type { Redactor } from '../redaction/redact.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import { fromMcpResourceContents } from './from-mcp-content.ts'
import { createResourceListener } from './listen-for-changes.ts'
import { sanitizeText } from './sanitize.ts'
import type { RawAnswer, SdkRequests } from './sdk-requests.ts'

const resourceLimits = { charsMax: 256 * 1024, depthMax: 32 }
const resourceContentsMax = 2_000

type ResourceRequests = Pick<
  Connection,
  'listResources' | 'listResourceTemplates' | 'readResource' | 'subscribe' | 'unsubscribe'
>

export function createResourceRequests(
  client: Client,
  requests: SdkRequests,
  options: ConnectOptions,
): ResourceRequests & { readonly stop: () => void } {
  const { redactor } = options
  const listener = createResourceListener(client, options)
  const isModern = client.getProtocolEra() === 'modern'
  const { resources: offered } = client.getServerCapabilities() ?? {}
  return {
    async listResources({ signal }) {
      if (offered === undefined) return []
      const { items } = await requests.list('resources/list', 'resources', signal)
      return (await mapInSlices(items, (item) => toResource(item, redactor))).flat()
    },
    async listResourceTemplates({ signal }) {
      if (offered === undefined) return []
      const { items } = await requests.list('resources/templates/list', 'resourceTemplates', signal)
      return (
        await mapInSlices(items, (item) =>
          isRecord(item) ? toResource({ ...item, uri: item['uriTemplate'] }, redactor) : [],
        )
      ).flat()
    },
    async subscribe(uri) {
      if (offered?.subscribe !== true) return
      if (isModern) return listener.add(uri)
      await requests.request('resources/subscribe', { uri }, { signal: new AbortController().signal })
    },
    async unsubscribe(uri) {
      if (offered?.subscribe !== true) return
      if (isModern) return listener.remove(uri)
      await requests.request('resources/unsubscribe', { uri }, { signal: new AbortController().signal })
    },
    async readResource(uri, requestOptions) {
      const raw = await requests.request('resources/read', { uri }, requestOptions)
      const contents = Array.isArray(raw['contents']) ? raw['contents'].slice(0, resourceContentsMax) : []
      return cleanOutputs(
        contents.flatMap((item) => fromMcpResourceContents(item) ?? []),
        redactor,
      )
    },
    stop: listener.stop,
  }
}

function toResource(raw: unknown, redactor: Redactor) {
  if (!isRecord(raw) || exceededLimit(raw, resourceLimits) !== undefined) return []
  const { uri, name, description, mimeType } = redactValue(raw, cleaning(redactor)) as RawAnswer
  if (typeof uri !== 'string') return []
  return [
    {
      uri,
      name: typeof name === 'string' && name !== '' ? stripHiddenLine(name) : uri,
      ...(typeof description === 'string' && { description: sanitizeText(description) }),
      ...(typeof mimeType === 'string' && { mimeType }),
    },
  ]
}
