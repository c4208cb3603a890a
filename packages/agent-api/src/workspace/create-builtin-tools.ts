import type { Tool } from '../messages/tool.ts'
import { createFileAccess } from './files/file-access.ts'
import { editFileTool } from './files/edit-file.ts'
import { readFileTool } from './files/read-file.ts'
import { writeFileTool } from './files/write-file.ts'
import type { Workspace } from './workspace.ts'

/** All tools that work on a workspace. Their names are in `builtin-tool-names.ts`. */
export function createBuiltinTools(workspace: Workspace): readonly Tool[] {
  const files = createFileAccess(workspace)
  return [readFileTool(files), writeFileTool(files), editFileTool(files)]
}
