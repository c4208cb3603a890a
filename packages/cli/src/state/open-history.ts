// A module of its own, so that it is a chunk of its own: usage and completion of a command need no database.
export { openStoredHistory } from '@ostler/agent-api'
