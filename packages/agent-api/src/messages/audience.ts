import type { ContentBlock } from './content.ts'
import type { ToolOutput } from './tool.ts'

export type Audience = 'user' | 'assistant'

/** True if the server meant this part of a result for the person, or for the model. A part without annotations is for both. */
export function isFor(audience: Audience, item: ToolOutput | ContentBlock): boolean {
  const named = 'annotations' in item ? item.annotations?.audience : undefined
  return named === undefined || named.includes(audience)
}
