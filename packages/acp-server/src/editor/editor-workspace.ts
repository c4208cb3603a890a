import type { EditorWorkspace } from '@ostler/agent-api/internal'
import type { AcpClient } from './acp-client.ts'
import { createEditorCommands } from './editor-commands.ts'
import type { EditorCapabilities } from './from-acp-client-capabilities.ts'

/** The editor's abilities, which the built-in tools use instead of this machine's. */
export function createEditorWorkspace(client: AcpClient, { readTextFile, writeTextFile, terminal }: EditorCapabilities): EditorWorkspace {
  return {
    ...(readTextFile && { readText: (path, signal) => client.readTextFile({ path }, signal) }),
    ...(writeTextFile && { writeText: (path, content, signal) => client.writeTextFile({ path, content }, signal) }),
    ...(terminal && { commands: createEditorCommands(client) }),
  }
}
