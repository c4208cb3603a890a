import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  agentFileTemplate,
  configDirectory,
  locateAgentFile,
  OstlerError,
  schemaFileName,
  toAgentFileJsonSchema,
  toSystemReason,
} from '@ostler/agent-api'
import { readCommandLine, usageError } from '../command-line/command-line.ts'
import { makeDirectory } from '../state/make-directory.ts'
import { initCommand } from './specs/init.ts'

export function runInit(args: string[]): number {
  const line = readCommandLine(initCommand, args)
  if (line === undefined) return 0
  const { values } = line
  if (values.agent !== undefined && !/\.ya?ml$/.test(values.agent)) throw usageError(initCommand, '--agent must name a .yaml file')
  const file = values.agent === undefined ? join(configDirectory(process.env), 'ostler.yaml') : resolve(values.agent)
  const schema = join(dirname(file), schemaFileName)
  if (!values.force) refuseToReplace(file, values.agent === undefined)

  try {
    makeDirectory(dirname(file))
    // Keys may come to stand in it.
    writeFileSync(file, agentFileTemplate, { flag: values.force ? 'w' : 'wx', mode: 0o600 })
    chmodSync(file, 0o600)
    writeFileSync(schema, `${JSON.stringify(toAgentFileJsonSchema(), null, 2)}\n`)
  } catch (error) {
    throw new OstlerError('config.unwritable', `The agent file could not be written: ${toSystemReason(error)}.`, { cause: error })
  }
  process.stdout.write(`Wrote ${file}\nWrote ${schema}, with which editors complete and check it\n\n${nextSteps(file)}`)
  return 0
}

/** In the person's own place a file by another name counts too: the new one would stand in front of it. */
function refuseToReplace(file: string, isOwnPlace: boolean): void {
  const env = { ...process.env, OSTLER_AGENT: undefined }
  const existing = isOwnPlace ? locateAgentFile(undefined, env).path : existsSync(file) ? file : undefined
  if (existing !== undefined)
    throw new OstlerError('config.exists', `There is already ${existing}. With --force it is replaced by a new one.`)
}

function nextSteps(file: string): string {
  const holding = locateAgentFile(undefined, process.env).path
  const flag = holding === file ? '' : ` --agent ${file}`
  return `Next:
  Open it and take the # away from what you want
  ostler check${flag}              Is it right?
  ostler check${flag} --connect    Do its servers start, and with which tools?
${flag === '' ? '' : `It is used where it is named: ostler acp${flag}, or OSTLER_AGENT\n`}`
}
