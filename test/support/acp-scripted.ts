import { createRequire } from 'node:module'
import type { AgentConfig } from '@ostler/agent-api'
import { openAcpInProcess, type AcpInProcess, type AcpPeerOptions } from './acp-harness.ts'
import { fixturePath } from './http-fixture.ts'
import {
  startLoopbackModel,
  type LoopbackModel,
  type LoopbackOptions,
  type LoopbackVendor,
  type Script,
} from './loopback-model/index.ts'
import { everythingScript } from './program-path.ts'
import { openTempDir } from './temp-dir.ts'

/** An editor with one open session, and a scripted model. */
export interface ScriptedSession extends AsyncDisposable {
  readonly editor: AcpInProcess
  readonly model: LoopbackModel
  readonly sessionId: string
  readonly cwd: string
}

export interface ScriptedOptions extends AcpPeerOptions {
  readonly script: Script
  readonly mcpServers?: readonly unknown[]
  readonly additionalDirectories?: readonly string[]
  /** The format of the scripted model. Defaults to `anthropic`. */
  readonly vendor?: LoopbackVendor
  readonly serve?: LoopbackOptions['serve']
  /** Further settings of the agent. */
  readonly agent?: AgentConfig
}

/** The formats that models speak: messages, responses, `generateContent`, chat completions. */
export const formats = ['anthropic', 'openai-responses', 'google', 'openai'] as const

/** On a busy machine, a server takes seconds to start. */
const connectWaitMs = 60_000

export async function openScriptedSession({
  script,
  mcpServers = [],
  additionalDirectories,
  vendor = 'anthropic',
  agent = {},
  serve,
  ...options
}: ScriptedOptions): Promise<ScriptedSession> {
  await using opened = new AsyncDisposableStack()
  const dir = opened.use(await openTempDir())
  const model = opened.use(await startLoopbackModel({ vendor, script, ...(serve && { serve }) }))
  const editor = opened.use(
    openAcpInProcess({
      ...options,
      agent: { model: model.modelId, connectWaitMs, ...agent, env: { ...model.env, ...agent.env } },
    }),
  )
  await editor.initialize()
  const { sessionId } = await editor.newSession({
    cwd: dir.path,
    mcpServers,
    ...(additionalDirectories && { additionalDirectories }),
  })
  const all = opened.move()
  return { editor, model, sessionId, cwd: dir.path, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

/** A real server with many kinds of tools: `echo`, `get-sum`, `trigger-long-running-operation`. */
export function everythingServer(name = 'everything') {
  return { name, command: process.execPath, args: [everythingScript(), 'stdio'], env: [] }
}

/** A real server for Git repositories, with tools such as `git_log`. */
export function gitServer(name = 'git') {
  const script = createRequire(import.meta.url).resolve('@cyanheads/git-mcp-server/index.js')
  return { name, command: process.execPath, args: [script], env: [] }
}

/** A small server with the tool `add`, which exits as soon as its input ends. */
export function sumServer(name = 'sums') {
  return { name, command: process.execPath, args: [fixturePath('sum-server.mjs')], env: [] }
}

/** A server whose tools each show one feature of MCP. Appends every request to the file `log`. */
export function richServer({ name = 'rich', log }: { readonly name?: string; readonly log?: string } = {}) {
  return {
    name,
    command: process.execPath,
    args: [fixturePath('rich-server.mjs'), ...(log === undefined ? [] : [log])],
    env: [],
  }
}
