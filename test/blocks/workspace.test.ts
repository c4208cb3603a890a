import { once } from 'node:events'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAcpProcess } from '../support/acp-harness.ts'
import { startLoopbackModel, type ModelRequest, type Reply } from '../support/loopback-model/index.ts'
import { openChildLoopMonitor, processWorkMaxMs } from '../support/loop-monitor.ts'

const hostile = {
  nested: '<div><a href=x>'.repeat(300_000),
  closing: `${'<i>'.repeat(400)}${'</b>'.repeat(300_000)}`,
  tag: `<a ${'b=c '.repeat(1_200_000)}`,
  items: '<ul><li>x</li></ul><table><tr><td>y</td></tr></table>'.repeat(30_000),
} as const

/** A process of Ostler that has run every tool once, so that all code is loaded. */
interface WarmLab extends AsyncDisposable {
  /** The address of the hostile pages. */
  readonly url: string
  /** The longest block of the event loop while one tool runs, in a session and a folder of its own. */
  blockOf(name: string, args: object, files?: Readonly<Record<string, string>>): Promise<number>
}

let lab: WarmLab
beforeAll(async () => void (lab = await openWarmLab()))
afterAll(() => lab[Symbol.asyncDispose]())

async function openWarmLab(): Promise<WarmLab> {
  await using opened = new AsyncDisposableStack()
  let next: { readonly name: string; readonly args: object }
  const script = (request: ModelRequest): Reply =>
    request.messages.at(-1)?.parts.at(-1)?.type === 'tool_result' ? { text: 'done' } : { toolCalls: [next] }
  const url = await servePages(opened)
  const monitor = opened.use(await openChildLoopMonitor())
  const model = opened.use(await startLoopbackModel({ vendor: 'anthropic', script }))
  // Node writes its compile cache shortly after the start, which takes a while.
  const env = { ...model.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const editor = opened.use(
    await openAcpProcess({ args: ['--model', model.modelId], env, nodeArgs: monitor.nodeArgs }),
  )
  await editor.initialize()
  const blockOf: WarmLab['blockOf'] = async (name, args, files = {}) => {
    const cwd = await mkdtemp(join(editor.home, 'folder-'))
    for (const [file, content] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, file)), { recursive: true })
      await writeFile(join(cwd, file), content)
    }
    const { sessionId } = await editor.newSession({ cwd })
    await monitor.reset()
    next = { name, args }
    expect(await editor.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
    const blockMs = await monitor.longestWorkMs()
    await editor.request('session/close', { sessionId })
    return blockMs
  }
  const small = { 'small.txt': 'x\nend' }
  await blockOf('run_command', { command: 'true' })
  await blockOf('search_files', { pattern: 'x' }, small)
  await blockOf('read_file', { path: 'small.txt' }, small)
  await blockOf('edit_file', { path: 'small.txt', edits: [{ old_text: 'end', new_text: 'END' }] }, small)
  await blockOf('write_file', { path: 'small.txt', content: 'new' }, small)
  await blockOf('fetch_url', { url: `${url}/small` })
  const all = opened.move()
  return { url, blockOf, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function servePages(opened: AsyncDisposableStack): Promise<string> {
  const pages: Readonly<Record<string, string>> = hostile
  const server = createServer((request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(pages[request.url?.slice(1) ?? ''] ?? '<p>x</p>')
  })
  opened.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  'yes | head -c 100000000',
  'head -c 50000000 /dev/zero',
  'yes "$(head -c 100000 /dev/zero | tr "\\0" x)" | head -c 50000000',
])('the output of %s', async (command) => {
  expect(await lab.blockOf('run_command', { command })).toBeLessThan(processWorkMaxMs)
})

test('a search with many matches and a pattern that backtracks', async () => {
  const files = { 'lines.txt': `${'a'.repeat(50_000)}\n`.repeat(200) }
  expect(
    await lab.blockOf('search_files', { pattern: '^(a+)+', limit: 1_000, context: 10 }, files),
  ).toBeLessThan(processWorkMaxMs)
})

test('a list of directories with rules that match slowly', async () => {
  const name = 'a'.repeat(200)
  const files = {
    '.gitignore': `${'*a'.repeat(30)}b\n`.repeat(1_000),
    [`${name}1/.gitignore`]: `${'*a'.repeat(400)}b\n`.repeat(70),
    [`${name}1/${name}2/${name}3/x`]: '',
  }
  expect(await lab.blockOf('list_directory', { depth: 4 }, files)).toBeLessThan(processWorkMaxMs)
})

const longLine = (index: number) => `  const value${index} = compute(${index}, "some more text in the line")`
const long = `${Array.from({ length: 28_000 }, (_, index) => longLine(index)).join('\n')}\n`

test.each([
  ['one edit', { edits: [{ old_text: longLine(14_000), new_text: 'x' }] }],
  [
    'an edit that does not fit',
    { edits: [{ old_text: 'const other = compute(some text)\nin more lines', new_text: 'x' }] },
  ],
  [
    'many edits with another indentation',
    {
      edits: Array.from({ length: 100 }, (_, index) => ({
        old_text: longLine(index * 270).trim(),
        new_text: `x${index}`,
      })),
    },
  ],
  ['an old text of very many lines', { edits: [{ old_text: `${'a\n'.repeat(330_000)}b`, new_text: 'x' }] }],
  [
    'an old text of very many empty lines',
    { edits: [{ old_text: `${'\n'.repeat(490_000)}b`, new_text: 'x' }] },
  ],
  [
    'a repetitive old text that an earlier edit does not add',
    {
      edits: [
        { old_text: longLine(14_000), new_text: 'a'.repeat(600_000) },
        { old_text: `${'a'.repeat(150_000)}b${'a'.repeat(150_000)}`, new_text: 'x' },
      ],
    },
  ],
])('a change of a file of almost 2 MiB: %s', async (_, args) => {
  expect(await lab.blockOf('edit_file', { path: 'long.txt', ...args }, { 'long.txt': long })).toBeLessThan(
    processWorkMaxMs,
  )
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

test.each(
  Object.entries(fillings).flatMap(([filling, content]) =>
    uses.map(([name, args]) => [name, filling, content, args] as const),
  ),
)('%s with a file of almost 2 MiB of %s', async (name, _, content, args) => {
  expect(await lab.blockOf(name, { path: 'long.txt', ...args }, { 'long.txt': content })).toBeLessThan(
    processWorkMaxMs,
  )
})

test.each([
  ['in one long line', `${'a'.repeat(90_000)}${'x'.repeat(1_900_000)}`, 'b\n'],
  ['with a long text', 'a\n'.repeat(90_000), 'b'.repeat(900_000)],
])('very many changes of a file: %s', async (_, content, newText) => {
  const args = { path: 'many.txt', edits: [{ old_text: 'a', new_text: newText, replace_all: true }] }
  expect(await lab.blockOf('edit_file', args, { 'many.txt': content })).toBeLessThan(processWorkMaxMs)
})

test.each(Object.keys(hostile))('a hostile page: %s', async (page) => {
  expect(await lab.blockOf('fetch_url', { url: `${lab.url}/${page}` })).toBeLessThan(processWorkMaxMs)
})
