// Its own module, so that it becomes its own chunk: usage and completion of a command need no state.
export { openListedServers } from '@ostler/workbench'
