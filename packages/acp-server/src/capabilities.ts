import type { AgentCapabilities, AuthMethod, Implementation } from '@agentclientprotocol/sdk'
import packageJson from '../package.json' with { type: 'json' }

/** ACP's stable version. The only one supported, whichever version a client requests. */
export const protocolVersion = 1

export const agentInfo: Implementation = { name: 'ostler', title: 'Ostler', version: packageJson.version }

/** Only what works, because an editor relies on each entry. */
export const agentCapabilities: AgentCapabilities = {
  loadSession: true,
  mcpCapabilities: { http: true, sse: true },
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
  auth: { logout: {} },
}

/** Keys come from the environment, so there is nothing to do. Editors that always use the first method still work. */
export const authMethods: readonly AuthMethod[] = [
  {
    id: 'environment',
    name: 'Keys from the environment',
    description:
      'Ostler reads model keys from the environment it was started in and from its agent file. There is nothing to log in to.',
  },
]

export const editorToolNames = ['ask_person'] as const
