// A separate module, so that it becomes a separate chunk: it is rarely needed.
export { recordEnd } from '@ostler/agent-api/internal'
