// Its own module, so that it becomes its own chunk: usage and completion of a command need no server.
export { openConsole } from '@ostler/console'
