import type { ToolRef } from './tool.ts'

/** Something that was asked for, and the tools that then succeeded. */
export interface PastSearch {
  readonly text: string
  readonly tools: readonly ToolRef[]
}
