export type Audience = 'user' | 'assistant'

/** The content blocks that ACP and MCP have in common, field for field. A tool's result reaches the editor unchanged. */
export type ContentBlock = TextBlock | ImageBlock | AudioBlock | ResourceLinkBlock | ResourceBlock

export interface ContentAnnotations {
  readonly audience?: Audience[]
}

interface Annotated {
  readonly annotations?: ContentAnnotations
}

export interface TextBlock extends Annotated {
  readonly type: 'text'
  readonly text: string
}

interface ImageBlock extends Annotated {
  readonly type: 'image'
  readonly data: string
  readonly mimeType: string
  readonly uri?: string | null
}

interface AudioBlock extends Annotated {
  readonly type: 'audio'
  readonly data: string
  readonly mimeType: string
}

export interface ResourceLinkBlock extends Annotated {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string | null
  readonly description?: string | null
  readonly mimeType?: string | null
  readonly size?: number | null
}

export interface ResourceBlock extends Annotated {
  readonly type: 'resource'
  readonly resource: TextResource | BlobResource
}

interface TextResource {
  readonly uri: string
  readonly text: string
  readonly mimeType?: string | null
}

interface BlobResource {
  readonly uri: string
  readonly blob: string
  readonly mimeType?: string | null
}

export function promptText(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join(' ')
}

export function text(value: string): TextBlock {
  return { type: 'text', text: value }
}
