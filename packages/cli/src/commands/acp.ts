import { createRedactor, findAgentFile, logLevels, type LogLevel } from '@ostler/agent-api'
import { readCommandLine, usageError } from '../command-line/command-line.ts'
import { editorToolNames, openLog, serveStdio } from '@ostler/acp-server'
import { stateDirOf } from '../state/state-dir.ts'
import { acpCommand } from './specs/acp.ts'

export async function runAcp(args: string[]): Promise<number> {
  const line = readCommandLine(acpCommand, args)
  if (line === undefined) return 0
  const { values } = line
  const level = values['log-level']
  if (!isLogLevel(level)) throw usageError(acpCommand, `--log-level must be one of ${logLevels.join(', ')}`)

  if (process.stdin.isTTY)
    process.stderr.write('ostler: waiting for an editor on standard input; `ostler editor` says how to register it, Ctrl-C ends it\n')
  const redactor = createRedactor()
  const logFile = values['log-file']
  const logger = openLog({ level, file: logFile, redactor })
  const findFile = () => findAgentFile(values.agent, process.env)
  const agentFile = findFile()
  const stateDir = stateDirOf(values['state-dir'], process.env)
  const openAgent = async () => {
    const agent = await import('./acp/open-agent.ts')
    return agent.openAgent({
      file: agentFile,
      findFile,
      model: values.model,
      stateDir,
      sessionTools: editorToolNames,
      logger,
      redactor,
    })
  }
  const checkAgent = async () => {
    if (agentFile === undefined) return
    const { loadAgentFile } = await import('./acp/open-agent-file.ts')
    await loadAgentFile(agentFile, process.env)
  }
  return serveStdio({ openAgent, runsOthersCode: agentFile !== undefined, checkAgent, logger, logFile, stateDir, redactor })
}

function isLogLevel(value: string): value is LogLevel {
  return logLevels.some((level) => level === value)
}
