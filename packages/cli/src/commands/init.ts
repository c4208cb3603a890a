import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  agentFileTemplate,
  configDirectory,
  locateAgentFile,
  OstlerError,
  schemaFileName,
  toAgentFileJsonSchema,
  toSystemReason,
} from '@ostler/agent-api'
import { defineCommand } from '../command-line/command.ts'
import { agentFlag } from '../command-line/shared-flags.ts'
import { usageError } from '../command-line/usage-error.ts'
import type { Io } from '../io.ts'
import { toPath } from '../state/places.ts'
import { makeDirectory } from '../state/make-directory.ts'

export const command = defineCommand({
  synopsis: ['[options]'],
  about: 'Writes an agent file with commented examples, and beside it the schema with which editors complete and check it.',
  flags: {
    agent: agentFlag('Where to write it (default: $XDG_CONFIG_HOME/ostler/ostler.yaml or ~/.config/ostler/ostler.yaml)'),
    force: { type: 'boolean', default: false, help: 'Replace a file that is there' },
  },
  run(io, { values }) {
    if (values.agent !== undefined && !/\.ya?ml$/.test(values.agent)) throw usageError('--agent must name a .yaml file')
    const file = values.agent === undefined ? join(configDirectory(io.env), 'ostler.yaml') : toPath(io, values.agent)
    const schema = join(dirname(file), schemaFileName)
    if (!values.force) refuseToReplace(io, file, values.agent === undefined)

    try {
      makeDirectory(dirname(file))
      // The file may contain keys later.
      writeFileSync(file, agentFileTemplate, { flag: values.force ? 'w' : 'wx', mode: 0o600 })
      chmodSync(file, 0o600)
      writeFileSync(schema, `${JSON.stringify(toAgentFileJsonSchema(), null, 2)}\n`)
    } catch (error) {
      throw new OstlerError('config.unwritable', `The agent file could not be written: ${toSystemReason(error)}.`, { cause: error })
    }
    io.stdout.write(`Wrote ${file}\nWrote ${schema}, with which editors complete and check it\n\n${nextSteps(io, file)}`)
    return 0
  },
})

/** In the default directory, a file with another extension also counts, because the new one would take precedence. */
function refuseToReplace(io: Io, file: string, isOwnPlace: boolean): void {
  const env = { ...io.env, OSTLER_AGENT: undefined }
  const existing = isOwnPlace ? locateAgentFile(undefined, env).path : existsSync(file) ? file : undefined
  if (existing !== undefined)
    throw new OstlerError('config.exists', `There is already ${existing}. With --force it is replaced by a new one.`)
}

function nextSteps({ env }: Io, file: string): string {
  const holding = locateAgentFile(undefined, env).path
  const flag = holding === file ? '' : ` --agent ${file}`
  return `Next:
  Open it and take the # away from what you want
  ostler check${flag}              Is it right?
  ostler check${flag} --connect    Do its servers start, and with which tools?
${flag === '' ? '' : `It is used where it is named: ostler acp${flag}, or OSTLER_AGENT\n`}`
}
