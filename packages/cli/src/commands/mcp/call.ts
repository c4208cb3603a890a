import { text as readAll } from 'node:stream/consumers'
import type { JsonSchema, ToolArguments } from '@ostler/agent-api'
import { toPlainText } from '@ostler/agent-api/internal'
import { toDiscoveredTools, type ServiceCallResult } from '@ostler/workbench'
import { defineCommand, textFlag, usageError } from '../../command-line/command.ts'
import { parseTimeout } from '../../command-line/parse-values.ts'
import type { Io } from '../../terminal/io.ts'
import { printJson, printServerText, warn } from '../../terminal/print.ts'
import { ArgumentsError, parseJsonArguments, parsePairs, requirePair } from './parse-arguments.ts'
import { findTool } from './tool-rows.ts'
import { serverFlags, withServer, type ServerUser } from './with-servers.ts'

export const command = defineCommand({
  synopsis: ['NAME TOOL [JSON | - | KEY=VALUE...] [options]'],
  about: `Calls a tool and prints its whole result, without asking for approval. The arguments are one JSON object, one from standard input (-),
  or KEY=VALUE pairs. A value is converted to the type that the tool expects; KEY:=VALUE is parsed as JSON.`,
  flags: {
    timeout: textFlag('DURATION', 'The timeout without progress: 30s, PT1M'),
    ...serverFlags,
  },
  words: ['server', 'nothing'],
  more: 'The exit code is 1 if the tool failed. Ctrl-C cancels the call.',
  async run(io, { values, words }) {
    const [name, tool, ...given] = words
    if (name === undefined || tool === undefined) throw usageError('call needs a server and a tool')
    const timeoutMs = parseTimeout(values.timeout)
    const toArguments = await readArguments(io, given)
    const callTool: ServerUser<ServiceCallResult> = (connection, { server, signal, say }) => {
      const { inputSchema } = findTool(toDiscoveredTools(connection), name, tool)
      const toolArguments = orUsage(() => toArguments(inputSchema))
      say(`${name}: ${tool}`)
      return server.call(tool, toolArguments, {
        signal,
        origin: 'command',
        whole: true,
        timeoutMs,
        onProgress: (text) => say(`${name}: ${tool}: ${text}`),
      })
    }
    return withServer(io, values, name, callTool, (called) => {
      if (values.json) printJson(io, called)
      else printResult(io, called)
      const missing = called.result.content.map(toPlainText).find((text) => leftOut.test(text))
      const { outcome } = called
      if (missing !== undefined) warn(io, `the result is incomplete: ${missing.slice(1, -1)}`)
      if (outcome !== 'success')
        warn(
          io,
          `the call of '${tool}' failed: ${outcome === 'invalid' ? 'its arguments do not match' : outcome}`,
        )
      return outcome === 'success' && missing === undefined ? 0 : 1
    })
  },
})

const leftOut = /^\[\d+ more content items left out\]$/

/** Parses the arguments as far as possible before the server is asked for the schema. */
async function readArguments(
  { stdin }: Io,
  words: readonly string[],
): Promise<(schema: JsonSchema) => ToolArguments> {
  const [first, ...others] = words
  const isJson = first === '-' || (first !== undefined && /^\s*[[{"]/.test(first))
  if (!isJson) {
    orUsage(() => words.forEach(requirePair))
    return (schema) => parsePairs(words, schema)
  }
  if (others.length > 0)
    throw usageError(
      `unexpected argument '${others[0]}'. Pass the arguments as one JSON object, or as KEY=VALUE`,
    )
  const json = first === '-' ? await readAll(stdin) : first
  const values = orUsage(() => parseJsonArguments(json ?? ''))
  return () => values
}

function orUsage<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ArgumentsError) throw usageError(error.message)
    throw error
  }
}

function printResult(io: Io, { result }: ServiceCallResult): void {
  const text = result.content.map(toPlainText).join('\n')
  printServerText(
    io,
    text === '' && result.structured !== undefined ? JSON.stringify(result.structured, null, 2) : text,
  )
}
