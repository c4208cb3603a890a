// A separate module, so that it becomes a separate chunk: loaded after an editor's first answer.
export { editorToolNames } from '@ostler/acp-server'
export { openAgent } from '@ostler/agent-api'
