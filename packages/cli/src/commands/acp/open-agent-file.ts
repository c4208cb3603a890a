// A separate module, so that it becomes a separate chunk: a run without an agent file needs neither YAML nor its schema.
export { loadAgentFile } from '@ostler/agent-api/internal'
