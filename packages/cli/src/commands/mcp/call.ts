import { text as readAll } from 'node:stream/consumers'
import { toPlainText, type JsonSchema, type ServiceCallResult, type ToolArguments } from '@ostler/agent-api'
import { readCommandLine, usageError } from '../../command-line/command-line.ts'
import { parseTimeout } from '../../command-line/parse-timeout.ts'
import { printJson } from '../../terminal/print-json.ts'
import { mcpCallCommand } from '../specs/mcp-connected.ts'
import { printServerText, withServer } from './connect.ts'
import { ArgumentsError, parseJsonArguments, parsePairs, requirePair } from './parse-arguments.ts'
import { findTool } from './tools.ts'
import { withService } from './with-service.ts'

export async function runMcpCall(args: readonly string[]): Promise<number> {
  const line = readCommandLine(mcpCallCommand, args)
  if (line === undefined) return 0
  const [name, tool, ...words] = line.words
  if (name === undefined || tool === undefined) throw usageError(mcpCallCommand, 'call needs the name of a server and of one of its tools')
  const timeoutMs = parseTimeout(mcpCallCommand, line.values.timeout)
  const toArguments = await readArguments(words)
  return withService(line.values, async (service, signal) => {
    const called = await withServer(service, name, async ({ id }, say) => {
      const { inputSchema } = findTool(await service.discoverTools(id, { signal }), name, tool)
      const values = orUsage(() => toArguments(inputSchema))
      say(`${name}: ${tool}`)
      const options = { signal, origin: 'command', whole: true, ...(timeoutMs !== undefined && { timeoutMs }) } as const
      return service.callTool(id, tool, values, { ...options, onProgress: (text) => say(`${name}: ${tool}: ${text}`) })
    })
    if (line.values.json) printJson(called)
    else printResult(called)
    const missing = called.result.content.map(toPlainText).find((text) => leftOut.test(text))
    if (missing !== undefined) process.stderr.write(`ostler: the result is not whole: ${missing.slice(1, -1)}\n`)
    return called.outcome === 'success' && missing === undefined ? 0 : 1
  })
}

/** What stands where a server has sent more than can be taken in. */
const leftOut = /^\[\d+ more content items left out\]$/

/** What can be known of them before the server is asked what it wants. */
async function readArguments(words: readonly string[]): Promise<(schema: JsonSchema) => ToolArguments> {
  const [first, ...others] = words
  const isJson = first === '-' || (first !== undefined && /^\s*[[{"]/.test(first))
  if (!isJson) {
    orUsage(() => words.forEach(requirePair))
    return (schema) => parsePairs(words, schema)
  }
  if (others.length > 0) throw usageError(mcpCallCommand, `what is '${others[0]}' for? The arguments are one JSON object, or KEY=VALUE`)
  const json = first === '-' ? await readAll(process.stdin) : first
  const values = orUsage(() => parseJsonArguments(json ?? ''))
  return () => values
}

function orUsage<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ArgumentsError) throw usageError(mcpCallCommand, error.message)
    throw error
  }
}

function printResult({ result }: ServiceCallResult): void {
  const text = result.content.map(toPlainText).join('\n')
  const whole = text === '' && result.structured !== undefined ? JSON.stringify(result.structured, null, 2) : text
  if (whole !== '') printServerText(whole.endsWith('\n') ? whole : `${whole}\n`)
}
