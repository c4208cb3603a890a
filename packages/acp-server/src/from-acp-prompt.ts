import type { ContentBlock as AcpContentBlock } from '@agentclientprotocol/sdk'
import type { ContentBlock } from '@ostler/agent-api'
import { invalidParams } from './invalid-params.ts'

/** What the person wrote and attached. Links stay links: nothing is fetched for them. */
export function fromAcpPrompt(prompt: readonly AcpContentBlock[]): readonly ContentBlock[] {
  if (prompt.length === 0) throw invalidParams('prompt', 'must not be empty')
  return prompt.map((block, index) => fromBlock(block, `prompt[${index}]`))
}

function fromBlock(block: AcpContentBlock, field: string): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return { type: 'image', data: readBase64(block.data, `${field}.data`), mimeType: block.mimeType, ...optional({ uri: block.uri }) }
    case 'audio':
      return { type: 'audio', data: readBase64(block.data, `${field}.data`), mimeType: block.mimeType }
    case 'resource_link': {
      const { uri, name, title, description, mimeType, size } = block
      return { type: 'resource_link', uri, name, ...optional({ title, description, mimeType, size }) }
    }
    case 'resource': {
      const { uri, mimeType } = block.resource
      const content =
        'text' in block.resource ? { text: block.resource.text } : { blob: readBase64(block.resource.blob, `${field}.resource.blob`) }
      return { type: 'resource', resource: { uri, ...content, ...optional({ mimeType }) } }
    }
  }
}

function readBase64(data: string, field: string): string {
  if (/[^\w+/=\s-]/.test(data)) throw invalidParams(field, 'must be base64')
  return data
}

/** Leaves out what was not given, instead of carrying `undefined` and `null` along. */
function optional<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}
