// Its own module, so that it becomes its own chunk: usage and completion of a command open nothing.
export { checkAgent, openGrants, openStoredHistory } from '@ostler/agent-api/manage'
