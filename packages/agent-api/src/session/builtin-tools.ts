import type { Tool } from '../messages/tool.ts'
import { builtinSettingsOf, type BuiltinSettings } from '../policy/builtin-tools.ts'
import { configOfBuiltinTool } from '../policy/local-tools.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'
import type { OfferedTool } from '../tools/offered-tool.ts'
import type { EditorWorkspace } from '../workspace/workspace.ts'

/** The built-in tools of a session. Disposing it ends what they started. */
export interface BuiltinTools extends AsyncDisposable {
  /** Empty before `load`. */
  readonly tools: readonly OfferedTool[]
  /** Loads the code of the tools, once, so that opening a session does not wait for it. */
  load(): Promise<void>
}

export interface BuiltinToolsOptions {
  readonly roots: readonly string[]
  readonly editor: EditorWorkspace | undefined
  readonly configured: readonly ConfiguredTool[]
  readonly settings: BuiltinSettings
  /** The other local tools. Each hides the built-in tool of its name. */
  readonly others: readonly Tool[]
}

/** Leaves out the tools that are switched off. Also applies to those that an editor adds to its session. */
export function admitBuiltinTools(
  tools: readonly Tool[],
  configured: readonly ConfiguredTool[],
  settings: BuiltinSettings,
): readonly OfferedTool[] {
  return tools
    .filter(({ ref }) => builtinSettingsOf(settings, ref.tool)?.enabled !== false)
    .map((tool) => ({ tool, config: configOfBuiltinTool(tool.ref.tool, configured, settings), home: { type: 'local' } }))
}

export function createBuiltinTools({ roots, editor, configured, settings, others }: BuiltinToolsOptions): BuiltinTools {
  const opened = new AsyncDisposableStack()
  const hidden = new Set(others.map(({ ref }) => ref.tool))
  let tools: readonly OfferedTool[] = []
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const [{ openWorkspace }, { createBuiltinTools: create }, { updatePlan }] = await Promise.all([
      import('../workspace/open-workspace.ts'),
      import('../workspace/create-builtin-tools.ts'),
      import('../tools/update-plan.ts'),
    ])
    if (opened.disposed) return
    const workspace = opened.use(openWorkspace({ roots, editor }))
    const all = [...create(workspace), updatePlan].filter(({ ref }) => !hidden.has(ref.tool))
    tools = admitBuiltinTools(all, configured, settings)
  }

  return {
    get tools() {
      return tools
    },
    load: () => (loading ??= load()),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
