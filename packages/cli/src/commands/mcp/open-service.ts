// A module of its own, so that it is a chunk of its own: usage and completion of a command connect to nothing.
export { openServerService, revealServers } from '@ostler/agent-api'
