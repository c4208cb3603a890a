import { expect, test } from 'vitest'
import type { ToolOutput } from '@ostler/agent-api'
import { runCommandTool } from '../../../../packages/acp-server/src/editor-tools/run-command.ts'
import { pathLocations } from '../../../../packages/acp-server/src/editor-tools/tool-context.ts'
import { fromAcpClientCapabilities } from '../../../../packages/acp-server/src/from-acp-client-capabilities.ts'
import { standInForEditor } from '../../../support/editor-stand-in.ts'

const capabilities = fromAcpClientCapabilities({ terminal: true })
const roots = [import.meta.dirname]

async function run(answers: Readonly<Record<string, unknown>>, args: Readonly<Record<string, unknown>> = {}) {
  const { client, requests } = standInForEditor({
    'terminal/create': { terminalId: 't1' },
    'terminal/wait_for_exit': { exitCode: 0 },
    'terminal/output': { output: 'fine\n', truncated: false },
    ...answers,
  })
  const tool = runCommandTool({ client, sessionId: 's1', capabilities, roots })
  const shown: (readonly ToolOutput[])[] = []
  const context = {
    toolCallId: 'c1',
    signal: new AbortController().signal,
    show: (content: readonly ToolOutput[]) => void shown.push(content),
  }
  const result = await tool.execute({ command: 'make', ...args }, context)
  return { result, requests, text: result.content.map((part) => ('text' in part ? part.text : '')).join('') }
}

test.each([
  [{ exitCode: 0 }, false, 'fine\n\n\n[exit code 0]'],
  [{ exitCode: 3, signal: null }, true, 'fine\n\n\n[exit code 3]'],
  [{ exitCode: null, signal: 'SIGKILL' }, true, 'fine\n\n\n[ended by signal SIGKILL]'],
  [{ exitCode: null, signal: null }, true, 'fine\n\n\n[ended without an exit code]'],
  [{}, true, 'fine\n\n\n[ended without an exit code]'],
])('the exit %j is reported', async (exit, isError, expected) => {
  const { result, text } = await run({ 'terminal/wait_for_exit': exit })
  expect(result.isError).toBe(isError)
  expect(text).toBe(expected)
})

test('a truncated beginning of the output is reported', async () => {
  const { text } = await run({ 'terminal/output': { output: 'end', truncated: true } })
  expect(text).toBe('[the beginning was left out]\nend\n\n[exit code 0]')
})

test('arguments and variables are passed on', async () => {
  const { requests } = await run({}, { args: ['-j', '2'], env: { A: '1' }, cwd: '.' })
  expect(requests[0]).toMatchObject({
    method: 'terminal/create',
    params: { command: 'make', args: ['-j', '2'], env: [{ name: 'A', value: '1' }], cwd: import.meta.dirname },
  })
})

test.each([
  ['no terminal', { 'terminal/create': { terminal: 't1' } }, 'its answer has no "terminalId"'],
  ['nothing', { 'terminal/create': null }, 'its answer has no "terminalId"'],
  ['an error', { 'terminal/wait_for_exit': new Error('it broke') }, 'it broke'],
])('an editor that answers with %s counts as failed', async (_, answers, reason) => {
  const { result, text } = await run(answers)
  expect(result.isError).toBe(true)
  expect(text).toBe(`The editor reported: ${reason}`)
})

test('a terminal is released after an error, too', async () => {
  const { requests } = await run({ 'terminal/output': new Error('it broke') })
  expect(requests.at(-1)).toEqual({ method: 'terminal/release', params: { sessionId: 's1', terminalId: 't1' } })
})

test.each([
  [{ path: 'a.ts', line: 3 }, ['/one'], [{ path: '/one/a.ts', line: 3 }]],
  [{ path: '/b.ts' }, ['/one'], [{ path: '/b.ts' }]],
  [{ path: 'a.ts' }, [], [{ path: '/a.ts' }]],
  [{ path: 7 }, ['/one'], []],
])('the locations of %j', (args, directories, expected) => {
  const { client } = standInForEditor({})
  expect(pathLocations({ client, sessionId: 's1', capabilities, roots: directories })(args)).toEqual(expected)
})
