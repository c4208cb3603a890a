// A module of its own, so that it is a chunk of its own: usage and completion of a command open nothing.
export { checkAgent, openGrants, openStoredHistory } from '@ostler/agent-api'
