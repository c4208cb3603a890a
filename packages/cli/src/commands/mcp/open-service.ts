// Its own module, so that it becomes its own chunk: usage and completion of a command connect to nothing.
export { openServerService, revealServers } from '@ostler/agent-api/manage'
