import type { AcpPeer, AcpPeerOptions } from '../support/acp-peer.ts'
import type { AgentLab } from '../support/agent-lab.ts'
import { addressIn, browse, runLogin } from '../support/login-lab.ts'
import { ostlerScript } from '../support/ostler-script.ts'
import { run } from './run.ts'

type Env = Readonly<Record<string, string>>

/** The part of Ostler that a scenario uses. */
export interface Ostler {
  open(lab: AgentLab, options: AcpPeerOptions & { readonly env: Env }): Promise<AcpPeer & AsyncDisposable>
  /** Runs `ostler mcp login`, with a browser. */
  logIn(args: readonly string[], env: Env): Promise<{ readonly code: number | null; readonly stderr: string }>
  /** The output of `ostler mcp tools`. */
  showTools(args: readonly string[], env: Env): Promise<string>
}

/** The built command, in processes of its own. */
export const builtOstler: Ostler = {
  open: (lab, options) => lab.start(options),
  logIn: (args, env) => runLogin(args, { env }),
  showTools: async (args, env) =>
    (await run(process.execPath, [ostlerScript, 'mcp', 'tools', ...args], env)).output,
}

/** The sources, in this process, which takes a tenth of the time. */
export const ostlerInProcess: Ostler = {
  open: (lab, options) => lab.open(options),
  async logIn(args, env) {
    const { startCli } = await import('../support/run-cli.ts')
    let browsing: Promise<unknown> | undefined
    const onStderr = (text: string) => {
      const url = addressIn(text)
      if (url !== undefined) browsing ??= browse(url)
    }
    const { code, stderr } = startCli(['mcp', 'login', ...args], { env, onStderr })
    const ended = await code
    await browsing
    return { code: ended, stderr: stderr() }
  },
  async showTools(args, env) {
    const { startCli } = await import('../support/run-cli.ts')
    const { code, stdout } = startCli(['mcp', 'tools', ...args], { env })
    await code
    return stdout()
  },
}
