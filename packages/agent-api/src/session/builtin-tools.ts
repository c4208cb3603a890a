import type { Tool } from '../messages/tool.ts'
import { configOfLocalTool } from '../policy/local-tools.ts'
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
  /** The other local tools. Each hides the built-in tool of its name. */
  readonly others: readonly Tool[]
}

export function createBuiltinTools({ roots, editor, configured, others }: BuiltinToolsOptions): BuiltinTools {
  const opened = new AsyncDisposableStack()
  const hidden = new Set(others.map(({ ref }) => ref.tool))
  let tools: readonly OfferedTool[] = []
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const [{ openWorkspace }, { createBuiltinTools: create }] = await Promise.all([
      import('../workspace/open-workspace.ts'),
      import('../workspace/create-builtin-tools.ts'),
    ])
    if (opened.disposed) return
    const workspace = opened.use(openWorkspace({ roots, editor }))
    tools = create(workspace)
      .filter(({ ref }) => !hidden.has(ref.tool))
      .map((tool) => ({ tool, config: configOfLocalTool(tool, configured), home: { type: 'local' } }))
  }

  return {
    get tools() {
      return tools
    },
    load: () => (loading ??= load()),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
