// A module of its own, so that it is a chunk of its own: a run without an agent file needs neither YAML nor its schema.
export { loadAgentFile } from '@ostler/agent-api'
