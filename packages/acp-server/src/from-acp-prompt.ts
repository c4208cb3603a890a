import type { ContentBlock } from '@ostler/agent-api'
import { pickTexts, textOf } from '@ostler/agent-api/internal'
import { invalidParams, readFields, readText } from './read-params.ts'

/** About 600,000 tokens. */
const promptCharsMax = 2 * 1024 * 1024

export interface PromptRequest {
  readonly sessionId: string
  readonly content: readonly ContentBlock[]
}

/** Parses what the person wrote and attached. Links are not fetched. */
export function fromAcpPrompt(raw: unknown): PromptRequest {
  const fields = readFields(raw)
  const sessionId = readText(fields, 'sessionId')
  const prompt = fields['prompt']
  if (!Array.isArray(prompt)) throw invalidParams('prompt', 'must be an array')
  if (prompt.length === 0) throw invalidParams('prompt', 'must not be empty')
  const content = prompt.map((block: unknown, index) => fromBlock(block, `prompt[${index}]`))
  if (content.reduce((chars, block) => chars + (textOf(block)?.length ?? 0), 0) > promptCharsMax)
    throw invalidParams(
      'prompt',
      `has more than ${promptCharsMax.toLocaleString('en')} characters of text. Name files instead of attaching them`,
    )
  return { sessionId, content }
}

function fromBlock(raw: unknown, path: string): ContentBlock {
  const block = readFields(raw, path)
  const text = (name: string) => readText(block, name, `${path}.`)
  switch (block['type']) {
    case 'text':
      return { type: 'text', text: text('text') }
    case 'image':
      return {
        type: 'image',
        data: readBase64(text('data'), `${path}.data`),
        mimeType: text('mimeType'),
        ...pickTexts(block, 'uri'),
      }
    case 'audio':
      return { type: 'audio', data: readBase64(text('data'), `${path}.data`), mimeType: text('mimeType') }
    case 'resource_link': {
      const { size } = block
      const optional = {
        ...pickTexts(block, 'title', 'description', 'mimeType'),
        ...(typeof size === 'number' && { size }),
      }
      return { type: 'resource_link', uri: text('uri'), name: text('name'), ...optional }
    }
    case 'resource':
      return { type: 'resource', resource: fromResource(block['resource'], `${path}.resource`) }
    default:
      throw invalidParams(`${path}.type`, 'must be "text", "image", "audio", "resource_link" or "resource"')
  }
}

function fromResource(raw: unknown, path: string): Extract<ContentBlock, { type: 'resource' }>['resource'] {
  const resource = readFields(raw, path)
  const uri = readText(resource, 'uri', `${path}.`)
  const mimeType = pickTexts(resource, 'mimeType')
  if (typeof resource['text'] === 'string') return { uri, text: resource['text'], ...mimeType }
  if (typeof resource['blob'] === 'string')
    return { uri, blob: readBase64(resource['blob'], `${path}.blob`), ...mimeType }
  throw invalidParams(path, 'must have "text" or "blob"')
}

function readBase64(data: string, field: string): string {
  if (/[^\w+/=\s-]/.test(data)) throw invalidParams(field, 'must be base64')
  return data
}
