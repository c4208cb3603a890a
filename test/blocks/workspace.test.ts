import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAcpProcess } from '../support/acp-harness.ts'
import { startLoopbackModel, type ModelRequest, type Reply } from '../support/loopback-model/index.ts'
import { loopBlockMaxMs, openChildLoopMonitor, slowRunsAllowed } from '../support/loop-monitor.ts'

/** A multiple of the limit, because on a busy machine, waiting cannot be told from work. Without limits it would be seconds. */
const blockMaxMs = 4 * loopBlockMaxMs
const ownGc = '--single-threaded-gc'

const hostile = {
  nested: '<div><a href=x>'.repeat(300_000),
  closing: `${'<i>'.repeat(400)}${'</b>'.repeat(1_000_000)}`,
  tag: `<a ${'b=c '.repeat(1_200_000)}`,
  items: '<ul><li>x</li></ul><table><tr><td>y</td></tr></table>'.repeat(90_000),
} as const

/** The longest block of the event loop while one tool runs, after it has run once. */
async function blockOf(name: string, warm: (folder: string) => unknown, args: (folder: string) => unknown): Promise<number> {
  let next: unknown
  const script = (request: ModelRequest): Reply =>
    request.messages.at(-1)?.parts.at(-1)?.type === 'tool_result' ? { text: 'done' } : { toolCalls: [{ name, args: next }] }
  await using monitor = await openChildLoopMonitor()
  await using model = await startLoopbackModel({ vendor: 'anthropic', script })
  const env = { ...model.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  await using editor = await openAcpProcess({ args: ['--model', model.modelId], env, nodeArgs: [...monitor.nodeArgs, ownGc] })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: editor.home })
  next = warm(editor.home)
  await editor.prompt(sessionId, 'go')
  await writeFile(join(editor.home, 'lines.txt'), `${'a'.repeat(50_000)}\n`.repeat(200))
  await monitor.reset()
  next = args(editor.home)
  expect(await editor.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
  return monitor.longestBlockMs()
}

test.each([
  'yes | head -c 1000000000',
  'head -c 300000000 /dev/zero',
  'yes "$(head -c 100000 /dev/zero | tr "\\0" x)" | head -c 300000000',
])('the output of %s', slowRunsAllowed, async (command) => {
  expect(
    await blockOf(
      'run_command',
      () => ({ command: 'true' }),
      () => ({ command }),
    ),
  ).toBeLessThan(blockMaxMs)
})

test('a search with many matches and a pattern that backtracks', slowRunsAllowed, async () => {
  const warm = () => ({ pattern: 'x' })
  expect(await blockOf('search_files', warm, () => ({ pattern: '^(a+)+', limit: 1_000, context: 10 }))).toBeLessThan(blockMaxMs)
})

const longLine = (index: number) => `  const value${index} = compute(${index}, "some more text in the line")`
const long = `${Array.from({ length: 28_000 }, (_, index) => longLine(index)).join('\n')}\n`

test.each([
  ['one edit', { edits: [{ old_text: longLine(14_000), new_text: 'x' }] }],
  ['an edit that does not fit', { edits: [{ old_text: 'const other = compute(some text)\nin more lines', new_text: 'x' }] }],
  [
    'many edits with another indentation',
    { edits: Array.from({ length: 600 }, (_, index) => ({ old_text: longLine(index * 45).trim(), new_text: `x${index}` })) },
  ],
])('a change of a file of almost 2 MiB: %s', slowRunsAllowed, async (_, args) => {
  const warm = { edits: [{ old_text: 'a', new_text: 'b' }] }
  const toArgs = (file: string, more: object, content: string) => (folder: string) => {
    writeFileSync(join(folder, file), content)
    return { path: file, ...more }
  }
  expect(await blockOf('edit_file', toArgs('small.txt', warm, 'a'), toArgs('long.txt', args, long))).toBeLessThan(blockMaxMs)
})

const mib = 1024 * 1024
const fillings: Readonly<Record<string, string>> = {
  'line ends': `${'\n'.repeat(2 * mib - 100)}end`,
  'line ends of two characters': `${'\r\n'.repeat(mib - 100)}end`,
  'mixed line ends': `${'\r\n\n'.repeat(600_000)}end`,
  'one line': `${'a'.repeat(2 * mib - 100)}end`,
  'characters of three bytes': `${'\u99ac\n'.repeat(500_000)}end`,
}
const uses: readonly (readonly [string, object])[] = [
  ['read_file', {}],
  ['edit_file', { edits: [{ old_text: 'end', new_text: 'END' }] }],
  ['edit_file', { edits: [{ old_text: ' x\n y', new_text: 'z' }] }],
  ['write_file', { content: 'new\ncontent\n' }],
]

test.each(Object.entries(fillings).flatMap(([filling, content]) => uses.map(([name, args]) => [name, filling, content, args] as const)))(
  '%s with a file of almost 2 MiB of %s',
  slowRunsAllowed,
  async (name, _, content, args) => {
    const use = (file: string, text: string) => (folder: string) => {
      writeFileSync(join(folder, file), text)
      return { path: file, ...args }
    }
    expect(await blockOf(name, use('small.txt', 'x\nend'), use('long.txt', content))).toBeLessThan(blockMaxMs)
  },
)

test.each(Object.entries(hostile))('a hostile page: %s', slowRunsAllowed, async (_, html) => {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(request.url === '/warm' ? '<p>x</p>' : html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    expect(
      await blockOf(
        'fetch_url',
        () => ({ url: `${url}/warm` }),
        () => ({ url }),
      ),
    ).toBeLessThan(blockMaxMs)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
