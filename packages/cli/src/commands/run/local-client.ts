// A separate module, so that it becomes a separate chunk: `ostler acp` needs no client.
export { openLocalClient } from '@ostler/acp-server'
