import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf, OstlerError } from '../base/errors.ts'
import { admitLocalTools } from '../policy/local-tools.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'
import type { Tool } from '../messages/tool.ts'

export function localModules(modules: readonly string[], agentFile: string | undefined): readonly string[] {
  const base = agentFile === undefined ? process.cwd() : dirname(resolve(agentFile))
  return modules.map((module) => resolve(base, module))
}

/** Every exported tool must be in the toolbox, because it runs in this process. */
export async function loadLocalTools(
  modules: readonly string[],
  configured: readonly ConfiguredTool[],
): Promise<Tool[]> {
  if (modules.length > 0) (await import('./provide-agent-api.ts')).provideAgentApi()
  const tools = (await Promise.all(modules.map(loadModule))).flat()
  admitLocalTools(tools, configured)
  return tools
}

export const missingFile = 'there is no such file'

export function cannotLoad(path: string, reason: string): string {
  return `The module ${path} of localTools cannot be loaded: ${reason}`
}

async function loadModule(path: string): Promise<Tool[]> {
  let exported: Record<string, unknown>
  try {
    exported = (await import(pathToFileURL(path).href)) as Record<string, unknown>
  } catch (error) {
    throw new OstlerError(
      'config.local_tools',
      cannotLoad(path, existsSync(path) ? messageOf(error) : missingFile),
      { cause: error },
    )
  }
  // A CommonJS module has its exports a second time, as its default.
  const tools = [...new Set(Object.values(exported).flat())].filter(isTool)
  if (tools.length === 0)
    throw new OstlerError(
      'config.local_tools',
      `The module ${path} of localTools exports no tool. Make one with defineTool.`,
    )
  return tools
}

function isTool(value: unknown): value is Tool {
  return (
    typeof value === 'object' &&
    value !== null &&
    'ref' in value &&
    'execute' in value &&
    'inputSchema' in value
  )
}
