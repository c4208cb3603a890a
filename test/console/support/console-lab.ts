import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { editorToolNames } from '@ostler/acp-server'
import { openAgent } from '@ostler/agent-api'
import {
  openAcpInProcess,
  openAcpProcess,
  type AcpInProcess,
  type AcpPeerOptions,
  type AcpProcess,
} from '../../support/acp-harness.ts'
import { openAgentLab, openSession, type AgentLab } from '../../support/agent-lab.ts'
import type { ModelRequest, Reply, Script } from '../../support/loopback-model/index.ts'
import { openConsole, type OpenConsole } from '../console-process.ts'
import { openConsolePage, type ConsolePage } from './browser.ts'
import { offeredIn } from '../../support/offered-tools.ts'

/** A folder and a state for a console, agents beside it, and a browser. */
export interface ConsoleLab
  extends AgentLab, Pick<ConsolePage, 'page' | 'context' | 'go' | 'get' | 'inDialog' | 'press' | 'sees'> {
  readonly stateDir: string
  readonly console: OpenConsole
  /** The path of the agent file. */
  readonly file: string
  readFile(): Promise<string>
  /** Opens an editor with the agent of that file in this process. */
  edit(options?: AcpPeerOptions): AcpInProcess
  /** Starts the agent as a process of its own, which can be killed. */
  startEditor(options?: AcpPeerOptions): Promise<AcpProcess>
}

export interface ConsoleLabOptions {
  /** The agent file's content after its model. Without it, there is no file. */
  readonly file?: string
  readonly script?: Script
  /** Environment of the console and the agents. */
  readonly env?: Readonly<Record<string, string>>
}

export async function openConsoleLab({
  file,
  script,
  env = {},
}: ConsoleLabOptions = {}): Promise<ConsoleLab> {
  await using opened = new AsyncDisposableStack()
  const lab = opened.use(await openAgentLab(script))
  const [path, stateDir] = [join(lab.path, 'ostler.yaml'), join(lab.path, 'state')]
  if (file !== undefined) await writeFile(path, `model: ${lab.model.modelId}\n${file}`)
  const environment = { ...lab.model.env, ...env }
  const console = opened.use(await openConsole({ args: ['--agent', path], stateDir, env: environment }))
  const { page, context, go, get, inDialog, press, sees } = opened.use(await openConsolePage(console))
  const all = opened.move()
  return {
    ...lab,
    page,
    context,
    go,
    get,
    inDialog,
    press,
    sees,
    stateDir,
    console,
    file: path,
    readFile: () => readFile(path, 'utf8'),
    edit: (options = {}) =>
      openAcpInProcess({
        ...options,
        openAgent: (logger) =>
          openAgent({
            file: path,
            env: { PATH: process.env['PATH'], HOME: lab.path, ...environment },
            stateDir,
            sessionTools: editorToolNames,
            logger,
          }),
      }),
    startEditor: (options = {}) =>
      openAcpProcess({ args: ['--agent', path, '--state-dir', stateDir], env: environment, ...options }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Calls a tool once per turn, and reports the result. */
export function callOnce(name: string, args: unknown = {}): (request: ModelRequest) => Reply {
  return (request) => {
    const last = request.messages.at(-1)?.parts.findLast((part) => part.type === 'tool_result')
    return last === undefined ? { toolCalls: [{ name, args }] } : { text: `The tool said: ${last.text}` }
  }
}

export { offeredIn as offeredTools, openSession }
