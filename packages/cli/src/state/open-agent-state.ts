// Its own module, so that it becomes its own chunk: usage and completion of a command open nothing.
export { checkAgent, openGrants } from '@ostler/workbench'
export { openStoredState } from '@ostler/agent-api/internal'
