import type { Tool } from '@ostler/agent-api'
import { askPersonTool } from './ask-person.ts'
import { editFileTool } from './edit-file.ts'
import { readFileTool } from './read-file.ts'
import { runCommandTool } from './run-command.ts'
import type { EditorToolOptions } from './tool-context.ts'
import { writeFileTool } from './write-file.ts'

/** Creates tools for the capabilities that the editor has. */
export function createEditorTools(options: EditorToolOptions): readonly Tool[] {
  const { readTextFile, writeTextFile, terminal, elicitForm } = options.capabilities
  return [
    ...(readTextFile ? [readFileTool(options)] : []),
    ...(writeTextFile ? [writeFileTool(options)] : []),
    ...(readTextFile && writeTextFile ? [editFileTool(options)] : []),
    ...(terminal ? [runCommandTool(options)] : []),
    ...(elicitForm ? [askPersonTool(options)] : []),
  ]
}
