import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OstlerError } from '@ostler/agent-api'
import {
  toSystemReason,
  configDirectory,
  locateAgentFile,
  makeDirectory,
  toAgentFileJsonSchema,
} from '@ostler/agent-api/internal'
import { agentFileTemplate, schemaFileName } from '@ostler/workbench'
import { agentFlag, defineCommand, forceFlag, jsonFlag, usageError } from '../command-line/command.ts'
import type { Io } from '../terminal/io.ts'
import { toPath } from '../state/places.ts'
import { print } from '../terminal/print.ts'
import { writeWholeFile } from '../terminal/write-new-file.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about: 'Creates an agent file with commented examples, and its schema for completion in editors.',
  flags: {
    agent: agentFlag(
      'The path of the file (default: $XDG_CONFIG_HOME/ostler/ostler.yaml or ~/.config/ostler/ostler.yaml)',
    ),
    force: forceFlag,
    json: jsonFlag,
  },
  async run(io, { values }) {
    if (values.agent !== undefined && !/\.ya?ml$/.test(values.agent))
      throw usageError('--agent must name a .yaml file')
    const file =
      values.agent === undefined ? join(configDirectory(io.env), 'ostler.yaml') : toPath(io, values.agent)
    const schema = join(dirname(file), schemaFileName)
    if (!values.force) refuseToReplace(io, file, values.agent === undefined)

    try {
      makeDirectory(dirname(file))
      await writeWholeFile(schema, `${JSON.stringify(toAgentFileJsonSchema(), null, 2)}\n`, true)
      await writeWholeFile(file, agentFileTemplate, values.force)
    } catch (error) {
      throw new OstlerError(
        'config.unwritable',
        `The agent file could not be written: ${toSystemReason(error)}.`,
        { cause: error },
      )
    }
    const written = `Wrote ${file}\nWrote ${schema}, for completion in editors`
    print(io, values, { file, schema }, () => `${written}\n\n${nextSteps(io, file)}`)
  },
})

/** In the default directory, a file with another extension also counts, because the new one would take precedence. */
function refuseToReplace(io: Io, file: string, isOwnPlace: boolean): void {
  const env = { ...io.env, OSTLER_AGENT: undefined }
  const existing = isOwnPlace ? locateAgentFile(undefined, env).path : existsSync(file) ? file : undefined
  if (existing !== undefined)
    throw new OstlerError('config.exists', `${existing} already exists. Use --force to replace it.`)
}

function nextSteps({ env }: Io, file: string): string {
  const holding = locateAgentFile(undefined, env).path
  const flag = holding === file ? '' : ` --agent ${file}`
  return `Next:
  Edit it: uncomment the lines you want
  ostler check${flag}             Validate it
  ostler check${flag} --connect   Start its servers and show their tools
${flag === '' ? '' : `To use it: ostler acp${flag}, or set OSTLER_AGENT\n`}`
}
