import { OstlerError } from '@ostler/agent-api'
import { counted, loadAgentFile, type AgentFile, type AgentFileLocation } from '@ostler/agent-api/internal'
import type { AgentCheck } from '@ostler/workbench'
import { editorToolNames } from '@ostler/acp-server'
import type { Io } from '../../terminal/io.ts'
import type { Finding } from './finding.ts'

export interface ExaminedAgent {
  /** The vendors that the agent file adds. */
  readonly providers: NonNullable<AgentFile['providers']>
  readonly findings: readonly Finding[]
}

/** The agent file, the model, the stored servers and the store for their secrets. Starts nothing. */
export async function examineAgent(
  io: Io,
  { path }: AgentFileLocation,
  stateDir: string | undefined,
): Promise<ExaminedAgent> {
  try {
    const { file } = await loadAgentFile(path, io.env)
    const { checkAgent } = await import('../../state/open-agent-state.ts')
    const check = await checkAgent({ file: path, env: io.env, stateDir, sessionTools: editorToolNames })
    return {
      providers: file.providers ?? {},
      findings: [...toFileFindings(path, check), ...toServerFindings(check)],
    }
  } catch (error) {
    if (!(error instanceof OstlerError)) throw error
    const found = error.message.replaceAll(/\s*\n\s*/g, ' ')
    return {
      providers: {},
      findings: [
        {
          what: 'Agent file',
          state: 'problem',
          found,
          advice: 'Fix the file. `ostler check` lists all problems.',
        },
      ],
    }
  }
}

function toFileFindings(path: string | undefined, { problems, warnings, model }: AgentCheck): Finding[] {
  const advice = '`ostler check` shows the details.'
  const file: Finding =
    path === undefined
      ? {
          what: 'Agent file',
          state: 'note',
          found: 'none',
          advice: 'None is needed. `ostler init` creates one.',
        }
      : problems.length > 0
        ? { what: 'Agent file', state: 'problem', found: `${path}: ${problems.join(' ')}`, advice }
        : {
            what: 'Agent file',
            state: warnings.length > 0 ? 'warning' : 'ok',
            found: [path, ...warnings].join(': '),
            ...(warnings.length > 0 && { advice }),
          }
  const offline = {
    state: 'warning' as const,
    found: 'offline, which does not understand language',
    advice: 'Set a key, or choose a local model: --model ollama/…',
  }
  const chosen: Finding = model.ready
    ? { what: 'Model', ...(model.id === 'offline' ? offline : { state: 'ok' as const, found: model.id }) }
    : {
        what: 'Model',
        state: 'problem',
        found: `${model.id} cannot be used`,
        advice: model.reason ?? 'Choose another model.',
      }
  return [file, chosen]
}

function toServerFindings({ servers, secretStore }: AgentCheck): Finding[] {
  const found =
    servers.length === 0
      ? 'none'
      : `${counted(servers.length, 'server')}: ${servers.map(({ name }) => name).join(', ')}`
  const list: Finding = {
    what: 'Servers',
    state: 'note',
    found,
    advice: servers.length === 0 ? '`ostler mcp add` stores one.' : '`ostler check --connect` starts them.',
  }
  if (secretStore === null) return [list, { what: 'Secret store', state: 'note', found: 'not used yet' }]
  const { kind, problem } = secretStore
  const store: Finding =
    problem === undefined
      ? { what: 'Secret store', state: 'ok', found: kind }
      : {
          what: 'Secret store',
          state: 'warning',
          found: kind === 'file' ? 'an encrypted file, instead of the system keyring' : kind,
          advice: problem,
        }
  return [list, store]
}
