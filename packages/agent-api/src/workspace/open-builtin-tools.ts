import type { TextCleaner } from '../base/clean-text.ts'
import type { Logger } from '../base/logger.ts'
import type { AskHost } from '../fence/fence.ts'
import type { Grace } from '../base/timing.ts'
import type { FileChanges } from '../messages/file-change.ts'
import type { Tool, ToolCallContext, ToolResult } from '../messages/tool.ts'
import { builtinSettingsOf, configOfBuiltinTool, isBuiltin, type BuiltinSettings } from './builtin-tools.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { OpenWorkspace } from './create-builtin-tools.ts'
import type { WorkspaceMemory } from './workspace-memory.ts'
import type { EditorWorkspace } from './workspace.ts'

/** The built-in tools of a session. Disposing it ends what they started. */
export interface BuiltinTools extends AsyncDisposable {
  /** Empty before `load`. */
  readonly tools: readonly OfferedTool[]
  /** The files and commands of the tools. Undefined before `load`. */
  readonly workspace: OpenWorkspace | undefined
  /** Commands that outlived their call and are still running. */
  runningCommands(): readonly { readonly id: string; readonly line: string }[]
  /** Loads the code of the tools, once, so that opening a session does not wait for it. */
  load(): Promise<void>
}

export interface BuiltinToolsOptions {
  readonly roots: readonly string[]
  readonly ownFiles: readonly string[]
  readonly stateDir: string | undefined
  /** Asks about a host that a command wants to reach. */
  readonly askHost?: AskHost | undefined
  /** True in the mode `fenced`. */
  readonly isFenced: () => boolean
  readonly editor: EditorWorkspace | undefined
  readonly configured: readonly ConfiguredTool[]
  readonly settings: BuiltinSettings
  /** Records the old texts of files, for `/undo`. */
  readonly changes: FileChanges
  readonly memory: WorkspaceMemory
  /** Runs a task that the model delegates. */
  readonly runTask: (task: string, context: ToolCallContext) => Promise<ToolResult>
  /** The other local tools. Each replaces the built-in tool of its name. */
  readonly others: readonly Tool[]
  readonly timing: Grace
  readonly logger: Logger
  readonly cleaner: TextCleaner
}

/** Leaves out the tools that are switched off. Also applies to those that an editor adds to its session. */
export function admitBuiltinTools(
  tools: readonly Tool[],
  configured: readonly ConfiguredTool[],
  settings: BuiltinSettings,
): readonly OfferedTool[] {
  return tools
    .filter(({ ref }) => builtinSettingsOf(settings, ref.tool)?.enabled !== false)
    .map((tool) => ({
      tool,
      config: configOfBuiltinTool(tool.ref.tool, configured, settings),
      home: { type: 'local', isBuiltin: isBuiltin(tool.ref.tool) },
    }))
}

export function openBuiltinTools(options: BuiltinToolsOptions): BuiltinTools {
  const { configured, settings } = options
  const hidden = new Set(options.others.map(({ ref }) => ref.tool))
  let tools: readonly OfferedTool[] = []
  let workspace: OpenWorkspace | undefined
  let loading: Promise<void> | undefined
  let isClosed = false

  async function load(): Promise<void> {
    const { openWorkspace, createBuiltinTools } = await import('./create-builtin-tools.ts')
    if (isClosed) return
    workspace = openWorkspace(options)
    const all = createBuiltinTools(workspace, options)
    tools = admitBuiltinTools(
      all.filter(({ ref }) => !hidden.has(ref.tool)),
      configured,
      settings,
    )
  }

  return {
    get tools() {
      return tools
    },
    get workspace() {
      return workspace
    },
    runningCommands: () => workspace?.commands.running() ?? [],
    load: () => (loading ??= load()),
    async [Symbol.asyncDispose]() {
      if (isClosed) return
      isClosed = true
      await workspace?.[Symbol.asyncDispose]()
    },
  }
}
