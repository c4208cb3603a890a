// Its own module, so that it becomes its own chunk: usage and completion of a command need no database.
export { openStoredState } from '@ostler/agent-api/internal'
