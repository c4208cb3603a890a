// Parts that the packages of this workspace share, by their rooms. They are not published.

export { atMost, orAborted, onAbort } from './base/or-aborted.ts'
export { createByteBuffer } from './base/byte-buffer.ts'
export type { Strike } from './base/clean-text.ts'
export { type OwnPlaces, type SandboxSettings, sandboxLevels, toSandbox } from './fence/fence.ts'
export { learnPaths } from './fence/learn-paths.ts'
export { probeFence } from './fence/probe-fence.ts'
export { defined, isRecord, isTexts, pickTexts } from './base/is-record.ts'
export { suggest } from './base/did-you-mean.ts'
export { messageOf, toSystemReason } from './base/errors.ts'
export { fence, toMarkdownText } from './base/markdown-text.ts'
export { makeDirectory } from './base/file-owner.ts'
export { findHome, findXdgDirectory, homeOrRoot } from './base/find-home.ts'
export { hashText } from './base/hash-text.ts'
export { headerName, headerValue } from './base/header.ts'
export { type SessionId, type ToolCallId, createSessionId, createToolCallId } from './base/ids.ts'
export { mapInSlices } from './base/in-slices.ts'
export { createListeners } from './base/listeners.ts'
export { loadTextFile, replaceTextFile } from './base/text-file.ts'
export { logLevels, silentLogger } from './base/logger.ts'
export { isEncrypted, isLoopback } from './base/loopback.ts'
export { mapTexts } from './base/map-texts.ts'
export { parseJsonOr } from './base/json.ts'
export { createSlots } from './base/slots.ts'
export { hasUnseen, showHidden, stripHidden, stripHiddenLine, toJsonEscape } from './base/strip-hidden.ts'
export { type Timing, defaultTiming, toTiming } from './base/timing.ts'
export { unifiedDiff } from './base/unified-diff.ts'
export { createValueCounter, parsedValuesMax } from './base/value-counter.ts'

export { isFor } from './messages/tool-output.ts'
export type { FenceReport } from './messages/fence-report.ts'
export type { FileChanges } from './messages/file-change.ts'
export { describeSizes, type ToolSize } from './messages/tool-size.ts'
export type { Icon } from './messages/tool.ts'
export { type McpLogLevel, mcpLogLevels } from './messages/log-level.ts'
export type { ToolCallEnd } from './messages/message.ts'
export { type PlanEntry, planText } from './messages/plan.ts'
export type { LeftOut, LeftReason, ToolOffer } from './messages/tool-offer.ts'
export { textOf, toPlainText } from './messages/tool-output.ts'
export type { ToolAnnotations, ToolKind, ToolLocation } from './messages/tool.ts'
export type { TranscriptItem } from './messages/transcript.ts'
export type { FormQuestion, PageQuestion, ServerQuestion } from './messages/question.ts'
export type { CompactionEvent } from './messages/turn-event.ts'

export { redactValue, strikeWith } from './redaction/redact-value.ts'
export { isSecretName } from './redaction/secret-name.ts'
export { passwordsIn, strikeArguments } from './redaction/strike-arguments.ts'

export {
  type MarkedSecrets,
  type SealedEntry,
  type SecretDescription,
  describeSecrets,
  labelsIn,
  maskPlaceholders,
  replacePlaceholders,
  sealSecrets,
  unsealSecrets,
} from './secret-store/seal-secrets.ts'
export type { SecretStoreKind } from './secret-store/secret-store.ts'

export { badPort, blockedPort } from './http/network-failure.ts'
export { processBudget } from './http/byte-budget.ts'
export { limitResponse } from './http/limit-response.ts'
export { networkFailureOf } from './http/network-failure.ts'
export { privateAddressOf } from './http/network-of.ts'
export { redirectReason, shownAddress } from './http/redirect-reason.ts'

export { unattendedEnvironment } from './processes/command-environment.ts'
export { isProgram } from './processes/resolve-command.ts'

export { asksForLogin } from './mcp/connection-state.ts'
export type { KnownServer } from './mcp/known-server.ts'
export type {
  ConnectPhases,
  McpCompletion,
  McpHost,
  McpPromptDefinition,
  McpPromptResult,
  McpResource,
  McpSampling,
  McpSamplingAnswer,
  McpServerIdentity,
  McpStatus,
  McpSuggestions,
  McpToolDefinition,
} from './mcp/mcp-client.ts'
export { hasOwnAuth } from './mcp/oauth/oauth-settings.ts'
export type { LogInOptions } from './mcp/oauth/log-in.ts'
export type { LogInRequest } from './mcp/oauth/log-in.ts'
export type { LoggedOut } from './mcp/oauth/log-out.ts'
export { parseMarker, readMarkerText } from './mcp/oauth/login-marker.ts'
export { createLogins, loadLogIn, loadLogOut } from './mcp/oauth/logins.ts'
export { isMachineGrant } from './mcp/oauth/oauth-settings.ts'
export { openRedirectListener } from './mcp/oauth/redirect-listener.ts'
export { type ClientOpener, openMcpClient } from './mcp/open-mcp-client.ts'
export { type KeptMessage, type ProtocolLog, createProtocolLog } from './mcp/protocol-log.ts'
export type { McpRelay } from './mcp/relay.ts'
export { secretsOf } from './mcp/secrets-of.ts'
export { isHttpServer } from './mcp/server-config.ts'
export { type McpLogEntry, type ServerLog, createServerLog } from './mcp/server-log.ts'
export { toCommandLine, toServerOrigin } from './mcp/server-origin.ts'
export type { StderrLine } from './mcp/transports/stderr-tail.ts'

export type { ApprovalQuestion, LoginQuestion } from './policy/question.ts'
export { answerChoices, answerOf } from './policy/always-allow/answer-choices.ts'
export {
  type Approval,
  type CallFacts,
  type Grant,
  type PlanFacts,
  decide,
  readApprovals,
} from './policy/approval.ts'
export {
  type BuiltinToolName,
  builtinEffects,
  builtinSettingsOf,
  builtinToolNames,
  configOfBuiltinTool,
  isBuiltin,
} from './workspace/builtin-tools.ts'
export { type CallLimits, createCallLimits } from './policy/call-limits.ts'
export { type ToolDefinition, definitionDiff, definitionText } from './policy/always-allow/definition-text.ts'
export {
  type Baseline,
  type DefinitionChange,
  describeChanges,
  hashDefinition,
  nameChange,
  reviewDefinitions,
} from './policy/definition-changes.ts'
export type { GrantStore, StoredGrant } from './policy/always-allow/grant.ts'
export { admitLocalTools } from './policy/local-tools.ts'
export {
  type Pin,
  type ServerPin,
  describePin,
  describePinChange,
  isSamePin,
  toPin,
  toServerPin,
} from './policy/always-allow/definition-pin.ts'
export { type Rule, toText } from './policy/decision-rule.ts'
export { serverIdentity } from './policy/server-identity.ts'
export { shownLimit } from './policy/always-allow/grant.ts'
export {
  type ConfiguredTool,
  type EffectiveToolConfig,
  type Inclusion,
  type ServerMode,
  type ServerPolicy,
  type Sourced,
  type ToolApproval,
  maxConcurrentDefault,
} from './policy/tool-config.ts'
export { warnOfPatterns } from './policy/trust.ts'

export { factsOf } from './tools/call-facts.ts'
export { type CallMembrane, createCallMembrane } from './tools/call-membrane.ts'
export { findProblems } from './tools/find-problems.ts'
export type { OfferedTool } from './tools/offered-tool.ts'
export { type ToolSet, createToolSet } from './tools/tool-set.ts'

export { createOutputLog } from './workspace/commands/output-log.ts'
export { createWorkspaceMemory } from './workspace/workspace-memory.ts'
export { reachOf, toNamedPath } from './workspace/workspace-path.ts'
export type {
  CommandEnd,
  CommandOutput,
  CommandRunner,
  EditorWorkspace,
  RunningCommand,
} from './workspace/workspace.ts'

export { type AgentFile, agentFileSchema } from './config/agent-file-schema.ts'
export {
  type LoadedAgentFile,
  examineFile,
  loadAgentFile,
  problemsOf,
  toLoadedFile,
  readAgentText,
} from './config/agent-file.ts'
export { agentName } from './config/agent-name.ts'
export { addressOf, toOwnEntry, toTransport } from './config/complete-servers.ts'
export { blankComments, parseConfigDocument } from './config/config-document.ts'
export { type ConfigPath, isWithin } from './config/config-path.ts'
export { type ConfigProblem, valueAt } from './config/describe-issue.ts'
export { parseDuration } from './config/duration.ts'
export type { Environment } from './config/environment-overrides.ts'
export { processEnvironment, secretsOfEnvironment } from './config/environment.ts'
export { type ExaminedAgentFile, examineAgentFile } from './config/examine-agent-file.ts'
export { expandData } from './config/expand-variables.ts'
export {
  configDirectory,
  findAgentFile,
  findAgentFileIn,
  type AgentFileLocation,
  locateAgentFile,
} from './config/find-agent-file.ts'
export { cannotLoad, loadLocalTools, localModules, missingFile } from './config/load-local-tools.ts'
export { type ServerEntry, parseServerEntry } from './config/parse-server-entry.ts'
export { toAgentFileJsonSchema } from './config/schema-view.ts'
export { serverNameProblem } from './config/server-name.ts'
export {
  secretsOfFile,
  toAgentServer,
  toConfiguredTools,
  toToolConfig,
  toBuiltinSettings,
} from './config/to-agent-server.ts'
export { filtersNothing, ownListFor } from './config/foreign-fields.ts'

export {
  type CallQuery,
  type CallStatistics,
  type CallStatus,
  type CallSummary,
  type StoredCall,
  callStatuses,
  toRanMs,
} from './state/calls/call.ts'
export type { Calls } from './state/calls/calls.ts'
export type { DecidedCall } from './state/calls/decided-calls.ts'
export { readCalls } from './state/calls/read-calls.ts'
export { recorded } from './state/calls/recorded.ts'
export { type StateOptions, createStoredState, openState, openStoredState } from './state/open-state.ts'
export type { LiveServer, Presence } from './state/presence/presence.ts'
export { type ProcessEnd, recordEnd } from './state/presence/process-ends.ts'
export type {
  CallBody,
  FormBody,
  PageBody,
  QuestionBody,
  StoredAnswer,
  StoredQuestion,
} from './state/questions/questions.ts'
export type { KnownServers } from './state/servers/known-servers.ts'
export { createChanges, type Changes } from './state/changes.ts'
export type { ServerRow } from './state/servers/servers.ts'
export type { SessionEntry } from './state/sessions/session-entry.ts'
export type { EntryPlace } from './state/sessions/session-queries.ts'
export type { Sessions } from './state/sessions/sessions.ts'
export { toTranscript, transcribe } from './state/sessions/transcript.ts'
export type { State } from './state/state.ts'

export { builtInProviders } from './provider/built-in-providers.ts'
export { createModelCatalog } from './provider/catalog/model-catalog.ts'
export { checkModel } from './provider/find-provider.ts'
export { chooseModel } from './provider/choose-model.ts'
export { type ProviderAccess, findProvider, providerNames } from './provider/find-provider.ts'
export { formatToolsForProvider } from './provider/format-tools.ts'
export type { ModelChoice, ModelSettings, Vendor } from './provider/model.ts'
export {
  type ThoughtChoice,
  type ThoughtLevel,
  fitThoughtLevel,
  isThoughtChoice,
} from './provider/thought-level.ts'

export { runToolCall } from './turn/run-tool-call.ts'
export type { CallPorts } from './turn/turn.ts'

export { leavingOut, leftOutReason, toAdmission, unusedPatterns } from './servers/admission.ts'
export { type AgentServersOptions, openAgentServers, unreachableText } from './servers/agent-servers.ts'
export { nameCollisions } from './servers/name-collisions.ts'
export { getIncludedTools } from './servers/merge-servers.ts'
export { hashEntry } from './policy/hash-entry.ts'
export { type Definitions, definitionsOf } from './policy/definition-key.ts'
export { loadLock, lockFileName } from './servers/lock/load-lock.ts'
export {
  type LockedServer,
  type ServerLock,
  isLocked,
  lockKeyOf,
  toLockText,
  toServerLock,
} from './servers/lock/server-lock.ts'
export { hasProblems } from './servers/server-report.ts'
export { type AdmittedTools, type ServerSet, openServerSet } from './servers/server-set.ts'
export {
  type ServerIssue,
  invalidServer,
  resolveEntry,
  resolveServer,
} from './servers/stored/resolve-server.ts'
export {
  type SecretStoreState,
  type ServerSecrets,
  createServerSecrets,
  preferredSecretStore,
} from './servers/stored/server-secrets.ts'
export { isShadowed, useOfStoredServer } from './servers/stored/stored-choice.ts'
export { shadowedText } from './servers/stored/sync-stored-servers.ts'
export { missingPrompts, unusedEntries } from './servers/unused-entries.ts'

export { openBuiltinTools } from './workspace/open-builtin-tools.ts'
export type { SlashCommand } from './session/chat-session.ts'
export { warnOfHiddenCommands } from './session/commands.ts'
export { isGrantedHost } from './session/host-consent.ts'
export { withoutRemoteImages } from './session/remote-images.ts'
export { measureDefinitions } from './session/tool-sizes.ts'

export { createModels } from './provider/models.ts'
export { toAgentConfig } from './agent/to-agent-config.ts'
export * from './browser.ts'
