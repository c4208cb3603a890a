import type { Tool } from '@ostler/agent-api'
import { askPersonTool } from './ask-person.ts'
import type { EditorToolOptions } from './tool-context.ts'

/** Creates tools for the capabilities that the editor has. */
export function createEditorTools(options: EditorToolOptions): readonly Tool[] {
  return options.capabilities.elicitForm ? [askPersonTool(options)] : []
}
