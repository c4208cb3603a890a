// Servers, policies and the agent file in the hands of a person, without an agent.

export { agentFileTemplate, schemaFileName } from './agent-file/agent-file-template.ts'
export type { AgentSettings, BuiltinToolSetting, ToolSetting } from './agent-file/agent-settings.ts'
export {
  type DescribedModels,
  describeModels,
  type DescribedProvider,
  describeProviders,
} from './agent-file/describe-models.ts'
export {
  type ShownAgentFile,
  applyAgentFileEdit,
  planAgentFileEdit,
  readAgentSettings,
} from './agent-file/edit-agent-file.ts'
export { type TextChange, editConfigText } from './agent-file/edit-config-text.ts'

export { type AgentCheck, checkAgent } from './check/check-agent.ts'
export type { CheckedBuiltinTool, Explained, ExplainedTool } from './check/check-tools.ts'
export type { CheckedServer } from './check/check-server.ts'

export { type GrantView, describeGrant, grantDifference, type Grants, openGrants } from './judge/grants.ts'
export { type JudgedTool, type Outcome, createJudge } from './judge/judge.ts'
export { listJudgedTools } from './judge/list-judged-tools.ts'
export { type Replay, type ReplayDifference, type Verdicts, replayCalls } from './judge/replay-calls.ts'

export { type AskedValue, askedValues } from './servers/import/asked-values.ts'
export { fillInputs, toEntryOrigin } from './servers/import/found-server.ts'
export { escapeDollars } from './servers/import/convert-text.ts'
export {
  type ListedProgram,
  type UserHome,
  knownServerLists,
  listedPrograms,
} from './servers/import/known-server-lists.ts'
export {
  type ImportSource,
  loadProgramServers,
  loadServerFile,
  parseSource,
} from './servers/import/load-program-servers.ts'
export { freeServerName } from './servers/import/name-server.ts'
export { parseJsonc } from './servers/import/parse-jsonc.ts'
export { parsePasted } from './servers/import/parse-pasted.ts'
export { parseServerList } from './servers/import/parse-server-list.ts'
export {
  type FoundServer,
  type ServerListFormat,
  type ServerListInput,
  type SkippedServer,
  serverListFormats,
} from './servers/import/server-list.ts'

export { fetchRegistryServer, officialRegistry, searchRegistry } from './servers/registry/fetch-registry.ts'
export { parseRegistry } from './servers/registry/parse-registry.ts'
export type {
  RefusedWay,
  RegistryAnswers,
  RegistryList,
  RegistryServer,
  RegistryWay,
  Template,
} from './servers/registry/registry-server.ts'
export { type AnswerProblem, shortName, toServerDraft } from './servers/registry/to-server-draft.ts'

export type {
  ConnectionStatus,
  DiscoveredTool,
  LearnedSandbox,
  NewServer,
  PersonAnswer,
  PersonQuestion,
  PolicyView,
  ProtocolMessage,
  ProtocolMessageDetail,
  ProtocolView,
  SecretView,
  Server,
  ServerCapabilities,
  ServerEntryInput,
  ServerExamination,
  ServerList,
  ServerLogView,
  ServerNews,
  ServerService,
  ServerUpdates,
  ServerView,
  ServiceCallResult,
  ServiceConnection,
} from './servers/server-service.ts'

export { listServerNames } from './servers/service/list-server-names.ts'
export { openListedServers } from './servers/service/listed-servers.ts'
export { openServerService } from './servers/service/open-server-service.ts'
export { capabilitiesOf, toDiscoveredTools, toMeasuredTools } from './servers/service/server-capabilities.ts'

export { type ServerPreview, previewServer } from './servers/stored/preview-server.ts'
