import { spawn, type ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import type {
  CreateTerminalRequest,
  ReadTextFileRequest,
  TerminalOutputRequest,
  WriteTextFileRequest,
} from '@agentclientprotocol/sdk'
import type { RequestHandler } from './acp-peer.ts'

interface Terminal {
  readonly child: ChildProcess
  output: string
  readonly exited: Promise<{ exitCode: number | null; signal: string | null }>
}

/** Real files and terminals of an editor, on this machine. */
export interface EditorServices extends AsyncDisposable {
  readonly handlers: Readonly<Record<string, RequestHandler>>
  /** Unsaved content by path. */
  readonly unsaved: Map<string, string>
  /** Methods in the order of their calls. */
  readonly calls: string[]
  /** Terminals that were created and not released. */
  readonly open: ReadonlyMap<string, unknown>
  readonly created: CreateTerminalRequest[]
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

export function createEditorServices(): EditorServices {
  const unsaved = new Map<string, string>()
  const terminals = new Map<string, Terminal>()
  const created: CreateTerminalRequest[] = []
  const calls: string[] = []

  const terminalOf = (params: unknown): Terminal => {
    const terminal = terminals.get((params as TerminalOutputRequest).terminalId)
    if (terminal === undefined) throw new Error('no such terminal')
    return terminal
  }
  const services: Record<string, RequestHandler> = {
    async 'fs/read_text_file'(params) {
      const { path, line, limit } = params as ReadTextFileRequest
      const content = unsaved.get(path) ?? (await readFile(path, 'utf8'))
      const start = (line ?? 1) - 1
      const lines = content.split('\n')
      const isPart = start > 0 || (limit !== null && limit !== undefined && limit < lines.length)
      return { content: isPart ? lines.slice(start, start + (limit ?? lines.length)).join('\n') : content }
    },
    async 'fs/write_text_file'(params) {
      const { path, content } = params as WriteTextFileRequest
      await writeFile(path, content)
      return {}
    },
    'terminal/create'(params) {
      const request = params as CreateTerminalRequest
      created.push(request)
      const variables = Object.fromEntries((request.env ?? []).map(({ name, value }) => [name, value]))
      const child = spawn(request.command, request.args ?? [], {
        cwd: request.cwd ?? undefined,
        env: { ...process.env, ...variables },
        stdio: ['ignore', 'pipe', 'pipe'],
        // Like the leader of a terminal's session, so that it is ended with its children.
        detached: true,
      })
      const exited = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
        child.on('close', (exitCode, signal) => resolve({ exitCode, signal }))
        child.on('error', () => resolve({ exitCode: 127, signal: null }))
      })
      const terminal: Terminal = { child, output: '', exited }
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (chunk: string) => (terminal.output += chunk))
      const terminalId = `terminal-${created.length}`
      terminals.set(terminalId, terminal)
      return { terminalId }
    },
    'terminal/output'(params) {
      const { outputByteLimit } =
        created[Number((params as TerminalOutputRequest).terminalId.split('-')[1]) - 1] ?? {}
      const { output } = terminalOf(params)
      const limit = outputByteLimit ?? output.length
      return { output: output.slice(-limit), truncated: output.length > limit }
    },
    'terminal/wait_for_exit': (params) => terminalOf(params).exited,
    'terminal/kill'(params) {
      killGroup(terminalOf(params).child)
      return {}
    },
    'terminal/release'(params) {
      killGroup(terminalOf(params).child)
      terminals.delete((params as TerminalOutputRequest).terminalId)
      return {}
    },
  }
  const recorded = Object.entries(services).map(([method, handler]): [string, RequestHandler] => [
    method,
    (params, id) => {
      calls.push(method)
      return handler(params, id)
    },
  ])
  return {
    handlers: Object.fromEntries(recorded),
    unsaved,
    calls,
    open: terminals,
    created,
    async [Symbol.asyncDispose]() {
      for (const { child } of terminals.values()) killGroup(child)
      await Promise.all([...terminals.values()].map(({ exited }) => exited))
    },
  }
}
