import { OstlerError } from '@ostler/agent-api'
import { counted, loadAgentFile, type AgentFile, type AgentFileLocation } from '@ostler/agent-api/internal'
import type { AgentCheck } from '@ostler/workbench'
import { editorToolNames } from '@ostler/acp-server'
import type { Io } from '../../terminal/io.ts'
import { finding, type Finding } from './finding.ts'

/** The agent file, the model, the stored servers and the store for their secrets. Starts nothing. */
export async function examineAgent(
  io: Io,
  { path }: AgentFileLocation,
  stateDir: string | undefined,
): Promise<{ providers: NonNullable<AgentFile['providers']>; findings: readonly Finding[] }> {
  try {
    const { file } = await loadAgentFile(path, io.env)
    const { checkAgent } = await import('../../state/open-agent-state.ts')
    const check = await checkAgent({ file: path, env: io.env, stateDir, sessionTools: editorToolNames })
    return {
      providers: file.providers ?? {},
      findings: [toFileFinding(path, check), toModelFinding(check), ...toServerFindings(check)],
    }
  } catch (error) {
    if (!(error instanceof OstlerError)) throw error
    const found = error.message.replaceAll(/\s*\n\s*/g, ' ')
    const advice = 'Fix the file. `ostler check` lists all problems.'
    return { providers: {}, findings: [finding('Agent file', 'problem', found, advice)] }
  }
}

function toFileFinding(path: string | undefined, { problems, warnings }: AgentCheck): Finding {
  const what = 'Agent file'
  const advice = '`ostler check` shows the details.'
  if (path === undefined) return finding(what, 'note', 'none', 'None is needed. `ostler init` creates one.')
  if (problems.length > 0) return finding(what, 'problem', `${path}: ${problems.join(' ')}`, advice)
  return warnings.length > 0
    ? finding(what, 'warning', [path, ...warnings].join(': '), advice)
    : finding(what, 'ok', path)
}

function toModelFinding({ model }: AgentCheck): Finding {
  const { id, ready, reason = 'Choose another model.' } = model
  if (!ready) return finding('Model', 'problem', `${id} cannot be used`, reason)
  return id === 'offline'
    ? finding(
        'Model',
        'warning',
        'offline, which does not understand language',
        'Set a key, or choose a local model: --model ollama/…',
      )
    : finding('Model', 'ok', id)
}

function toServerFindings({ servers, secretStore }: AgentCheck): Finding[] {
  const names = servers.map(({ name }) => name).join(', ')
  const list =
    servers.length === 0
      ? finding('Servers', 'note', 'none', '`ostler mcp add` stores one.')
      : finding(
          'Servers',
          'note',
          `${counted(servers.length, 'server')}: ${names}`,
          '`ostler check --connect` starts them.',
        )
  const what = 'Secret store'
  if (secretStore === null) return [list, finding(what, 'note', 'not used yet')]
  const { kind, problem } = secretStore
  if (problem === undefined) return [list, finding(what, 'ok', kind)]
  const found = kind === 'file' ? 'an encrypted file, instead of the system keyring' : kind
  return [list, finding(what, 'warning', found, problem)]
}
