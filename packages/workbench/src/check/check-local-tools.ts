import { existsSync } from 'node:fs'
import {
  messageOf,
  admitLocalTools,
  type ConfiguredTool,
  type LoadedAgentFile,
  cannotLoad,
  loadLocalTools,
  localModules,
  missingFile,
} from '@ostler/agent-api/internal'
import { explainToolConfig, type ExplainedTool } from './explain-tool-config.ts'

export interface CheckedLocalTools {
  readonly tools: readonly ExplainedTool[]
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

/** Loads the modules, and thereby runs them, as the start of an agent does. */
export async function checkLocalTools(
  { file, sourceOf }: LoadedAgentFile,
  agentFile: string | undefined,
  configured: readonly ConfiguredTool[],
): Promise<CheckedLocalTools> {
  try {
    const loaded = await loadLocalTools(localModules(file.localTools, agentFile), configured)
    const tools = admitLocalTools(loaded, configured)
    return {
      tools: [...tools].map(([name, config]) => explainToolConfig(name, undefined, config, sourceOf)),
      problems: [],
      notes: [],
    }
  } catch (error) {
    return { tools: [], problems: [messageOf(error)], notes: [] }
  }
}

/** Checks the modules without running them. */
export function findLocalTools({ file }: LoadedAgentFile, agentFile: string | undefined): CheckedLocalTools {
  const modules = Map.groupBy(localModules(file.localTools, agentFile), (path) => existsSync(path))
  return {
    tools: [],
    problems: (modules.get(false) ?? []).map((path) => cannotLoad(path, missingFile)),
    notes: (modules.get(true) ?? []).map(
      (path) => `The module ${path} of localTools was not loaded. --connect loads it and checks its tools.`,
    ),
  }
}
