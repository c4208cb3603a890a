// A module of its own, so that it is a chunk of its own: usage and completion of a command serve nothing.
export { openConsole } from '@ostler/console'
