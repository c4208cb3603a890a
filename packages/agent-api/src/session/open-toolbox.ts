import { createCallLimits } from '../policy/call-limits.ts'
import { localToolsOf } from '../policy/local-tools.ts'
import { openServerSet } from '../servers/server-set.ts'
import { admitBuiltinTools, openBuiltinTools } from '../workspace/open-builtin-tools.ts'
import type { SessionOptions } from './chat-session.ts'
import type { SessionPerson } from './person.ts'
import type { Project } from './project.ts'
import type { PromptRunner } from './prompt-runner.ts'
import type { SharedParts } from './session.ts'
import { createSessionResources } from './session-resources.ts'
import { createSessionResults } from './session-results.ts'
import type { OpenedRecord } from './session-record.ts'
import { resourceServersOf, type Toolbox } from './toolbox.ts'

interface ToolboxParts {
  readonly project: Project
  readonly record: OpenedRecord
  readonly person: SessionPerson
  readonly runner: PromptRunner
  readonly changed: () => void
}

export function openToolbox(
  { name, tools: shared, timing, membranes, logger }: SharedParts,
  options: SessionOptions,
  { project, record, person, runner, changed }: ToolboxParts,
): Toolbox {
  const { cwd, additionalDirectories } = project
  const { rejectedServers = [], sessionMcpServers = [], relay } = options
  const { configured, builtin: settings } = shared
  const roots = [cwd, ...additionalDirectories]
  const given = localToolsOf(options.tools ?? [], configured)
  const tools = admitBuiltinTools(given, configured, settings)
  const host = {
    cwd,
    roots,
    relay,
    prepareStart: person.startConsent.prepareStart,
    ...runner.hostOf('session'),
  }
  const servers: Toolbox['servers'] = openServerSet({
    open: (config) => shared.openClient(config, host),
    configured,
    logger,
    // A strict agent file admits the tools that it names. The editor's servers usually have others.
    onViolation({ sentences }) {
      for (const sentence of sentences) logger.warn(sentence)
    },
  })
  for (const config of sessionMcpServers) servers.add(config, shared.policy)
  const disabled = new Set<string>()
  return {
    cwd,
    shared,
    servers,
    rejected: () => [...shared.rejected(), ...rejectedServers],
    limits: createCallLimits(shared.callSlots),
    builtin: openBuiltinTools({
      roots,
      ownFiles: shared.ownFiles,
      editor: options.workspace,
      configured,
      settings,
      changes: record.fileChanges,
      memory: record.memory,
      runTask: runner.runTask,
      others: [...shared.local.map(({ tool }) => tool), ...given],
      timing,
      logger,
      cleaner: membranes.texts,
    }),
    local: () => [...project.skills.tools, ...shared.local, ...tools],
    resources: createSessionResources(
      () => resourceServersOf({ shared, servers, disabled }),
      record.memory,
      membranes.calls,
    ),
    results: createSessionResults(record.id, record.state.calls.results, membranes.openStored),
    asked: runner.hostOf('agent'),
    disabled,
    added: new Set(),
    order: new Map(),
    pastSearches: () => record.state.calls.searches(name, cwd),
    changed,
  }
}
