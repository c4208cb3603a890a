import type { LoadedAgentFile } from '../config/agent-file.ts'
import type { AgentFile } from '../config/agent-file-schema.ts'
import {
  toBuiltinSettings,
  toAgentServer,
  toConfiguredTools,
  toRate,
  toToolConfig,
} from '../config/to-agent-server.ts'
import type { AgentConfig } from './agent-config.ts'

export function toAgentConfig(
  file: AgentFile,
  writtenServers: LoadedAgentFile['writtenServers'] = {},
): AgentConfig {
  return {
    systemPrompt: file.systemPrompt,
    model: file.model,
    thoughtLevel: file.thoughtLevel,
    smallModel: file.models?.small,
    providers: file.providers,
    compactAt: file.context.compactAt / 100,
    projectInstructions: file.context.projectInstructions,
    skills: file.context.skills,
    commands: Object.entries(file.commands).map(([name, command]) => ({ name, ...command })),
    maxSteps: file.maxSteps,
    connectWaitMs: file.connectWait,
    mcpServers: Object.entries(file.mcpServers).flatMap(([name, entry]) =>
      entry.enabled ? [toAgentServer(name, entry, writtenServers[name])] : [],
    ),
    toolbox: {
      maxConcurrent: file.toolbox.maxConcurrent,
      tools: toConfiguredTools(file),
    },
    builtinTools: toBuiltinSettings(file),
    toolBudget: file.toolBudget,
    definitionChanges: file.definitionChanges,
    sessionServers: {
      definitionChanges: file.sessionServers.definitionChanges,
      mode: file.sessionServers.mode,
      approval: file.sessionServers.approval,
      defaultToolConfig:
        file.sessionServers.defaultToolConfig && toToolConfig(file.sessionServers.defaultToolConfig),
      rateLimit: toRate(file.sessionServers.rateLimit),
      start: file.sessionServers.start,
      idleMs: file.sessionServers.idle,
      sandbox: file.sessionServers.sandbox,
      schemas: file.sessionServers.schemas,
      schemaShare: file.sessionServers.schemaShare / 100,
    },
    mode: file.approval.mode,
    trustedTools: file.approval.trustedTools,
    reads: file.approval.reads,
    remoteImages: file.remoteImages,
    retention: file.history,
  }
}
