import { createRedactor } from '@ostler/agent-api'
import { logLevels, findAgentFile, findAgentFileIn } from '@ostler/agent-api/internal'
import { openLog, serveStdio, type ServerOptions } from '@ostler/acp-server'
import {
  agentFlag,
  defineCommand,
  oneOf,
  stateDirFlag,
  switchFlag,
  textFlag,
} from '../command-line/command.ts'
import { findStateDir, toPath } from '../state/places.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about:
    'Speaks the Agent Client Protocol on standard input and output. Editors start this command themselves.',
  flags: {
    agent: agentFlag(
      'The agent file: model, prompt, MCP servers, limits, approvals\n(default: OSTLER_AGENT, then your own ostler.yaml)',
    ),
    model: textFlag(
      'ID',
      'The model, as provider/model, or "offline"\n(default: OSTLER_MODEL, then the agent file, then the first vendor with a key)',
      { completion: ['offline'] },
    ),
    'state-dir': stateDirFlag,
    'log-level': textFlag('LEVEL', 'error, warn (default), info or debug', {
      default: 'warn',
      completion: logLevels,
    }),
    'log-file': textFlag('FILE', 'Also write the log to this file', { completion: 'file' }),
    'experimental-mcp-over-acp': switchFlag('Use the MCP servers that an editor provides itself, over ACP'),
  },
  async run(io, { values }) {
    const level = oneOf('log-level', values['log-level'], logLevels)

    if (io.stdin.isTTY === true)
      io.stderr.write(
        'ostler: waiting for an editor on standard input. Run `ostler editor` to register Ostler in an editor. Press Ctrl-C to exit.\n',
      )
    const redactor = createRedactor()
    const logFile = toPath(io, values['log-file'])
    const logger = openLog({ level, file: logFile, redactor })
    const named = toPath(io, values.agent)
    const findFile = () => findAgentFile(named, io.env)
    const agentFile = findFile()
    const stateDir = findStateDir(io, values)
    const open: ServerOptions['openAgent'] = async (elicitModes) => {
      const { editorToolNames, openAgent } = await import('./acp/open-agent.ts')
      return openAgent({
        file: agentFile,
        findFile,
        findFileIn: findAgentFileIn(named, io.env),
        env: io.env,
        model: values.model,
        stateDir,
        sessionTools: editorToolNames,
        elicitModes,
        logger,
        redactor,
      })
    }
    const checkAgent = async () => {
      if (agentFile === undefined) return
      const { loadAgentFile } = await import('./acp/open-agent-file.ts')
      await loadAgentFile(agentFile, io.env)
    }
    return serveStdio({
      openAgent: open,
      runsOthersCode: agentFile !== undefined,
      checkAgent,
      logger,
      logFile,
      stateDir,
      redactor,
      mcpOverAcp: values['experimental-mcp-over-acp'],
    })
  },
})
