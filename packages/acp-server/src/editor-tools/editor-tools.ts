import type { Tool } from '@ostler/agent-api'
import { askPersonTool } from './ask-person.ts'
import { runCommandTool } from './run-command.ts'
import type { EditorToolOptions } from './tool-context.ts'

/** Creates tools for the capabilities that the editor has. */
export function createEditorTools(options: EditorToolOptions): readonly Tool[] {
  const { terminal, elicitForm } = options.capabilities
  return [...(terminal ? [runCommandTool(options)] : []), ...(elicitForm ? [askPersonTool(options)] : [])]
}
