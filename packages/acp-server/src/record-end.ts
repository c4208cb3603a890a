// A module of its own, so that it is a chunk of its own: few runs end in a way that has to be recorded.
export { recordEnd } from '@ostler/agent-api'
