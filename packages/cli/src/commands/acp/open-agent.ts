// A module of its own, so that it is a chunk of its own: loaded when an editor has its first answer.
export { editorToolNames } from '@ostler/acp-server'
export { openAgent } from '@ostler/agent-api'
