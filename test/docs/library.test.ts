import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { lastResult } from '../support/last-result.ts'
import {
  startLoopbackModel,
  type LoopbackVendor,
  type Reply,
  type Script,
} from '../support/loopback-model/index.ts'
import { fixturePath } from '../support/mcp-clients.ts'
import { openTempDir } from '../support/temp-dir.ts'
import {
  examplesPath,
  libraryApiPage,
  libraryApiPath,
  libraryPath,
  withExamples,
} from '../scripts/library-pages.ts'

const repository = join(import.meta.dirname, '../..')
const { resolve } = createRequire(import.meta.url)

test('docs/library.md shows each example unchanged', async () => {
  const page = await readFile(libraryPath, 'utf8')
  expect(page).toBe(await withExamples(page))
  const examples = (await readdir(examplesPath)).filter((name) => name.endsWith('.ts'))
  for (const name of examples) expect(page).toContain(`/${name}`)
})

test('the README of the package shows the first example unchanged', async () => {
  const first = await readFile(join(examplesPath, 'first-prompt.ts'), 'utf8')
  const readme = await readFile(join(repository, 'packages/agent-api/README.md'), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n${first}\`\`\``)
})

test('docs/library-api.md is what `pnpm exec tsx test/scripts/write-library.ts` writes', async () => {
  expect(await readFile(libraryApiPath, 'utf8')).toBe(await libraryApiPage())
})

interface Run extends AsyncDisposable {
  readonly child: ChildProcess
  readonly path: string
  readonly stdout: Promise<string>
  readonly stderr: Promise<string>
}

/** Starts an example in a folder of its own. Servers of this workspace replace npx, so that nothing is downloaded. */
async function startExample(name: string, env: Readonly<Record<string, string>>): Promise<Run> {
  const dir = await openTempDir()
  const bin = join(dir.path, 'bin')
  await mkdir(bin)
  await writeFile(join(dir.path, 'package.json'), '{ "name": "livery-stable" }\n')
  await writeFile(join(dir.path, '.env'), 'STABLE_KEY=hay\n')
  const scripts = {
    filesystem: resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
    memory: fixturePath('sum-server.mjs'),
  }
  const cases = Object.entries(scripts).map(
    ([server, script]) => `@modelcontextprotocol/server-${server}) script='${script}';;`,
  )
  await writeFile(
    join(bin, 'npx'),
    `#!/bin/sh\ncase "$1 $2" in\n-y\\ ${cases.join('\n-y\\ ')}\nesac\nshift 2\nexec '${process.execPath}' "$script" "$@"\n`,
  )
  await chmod(join(bin, 'npx'), 0o755)
  const child = spawn(process.execPath, [join(examplesPath, name)], {
    cwd: dir.path,
    env: {
      PATH: [bin, process.env['PATH']].join(delimiter),
      HOME: dir.path,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...env,
    },
  })
  const exit = once(child, 'close')
  return {
    child,
    path: dir.path,
    stdout: text(child.stdout),
    stderr: text(child.stderr),
    async [Symbol.asyncDispose]() {
      child.kill()
      await exit
      await dir[Symbol.asyncDispose]()
    },
  }
}

async function startWithModel(name: string, script: Script, vendor: LoopbackVendor = 'anthropic') {
  const model = await startLoopbackModel({ vendor, script })
  const run = await startExample(name, {
    OSTLER_MODEL: model.modelId,
    STABLE_URL: `${model.url}/v1`,
    ...model.env,
  })
  return {
    ...run,
    model,
    async [Symbol.asyncDispose]() {
      await run[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
}

function calling(name: string, args: object): Reply {
  return { toolCalls: [{ name, args }] }
}

test('the first prompt: a trusted tool runs, and no name makes another call harmless', async () => {
  await using run = await startWithModel('first-prompt.ts', (request, index) => {
    const calls = [
      calling('read_file', { path: '/etc/hostname' }),
      calling('read_file', { path: '.env' }),
      calling('files__read_multiple_files', { paths: ['package.json'] }),
      calling('files__read_text_file', { path: 'package.json' }),
    ]
    return calls[index] ?? { text: lastResult(request) }
  })
  expect(await run.stdout).toContain('livery-stable')
  const results = run.model.requests.slice(1, 4).map(lastResult)
  expect(results).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('did not allow')))
})

test('a tool of its own: the model reads its result, and the error that it throws', async () => {
  await using run = await startWithModel('own-tool.ts', (request, index) =>
    index === 0
      ? calling('find_box', { horse: 'Rocinante' })
      : index === 1
        ? calling('find_box', { horse: 'Juno' })
        : { text: lastResult(request) },
  )
  expect(await run.stdout).toBe('Box 7')
  expect(await run.stderr).toBe('> find_box Rocinante\n> find_box Juno\n')
  expect(lastResult(run.model.requests[1])).toContain('There is no horse Rocinante, only Bramble and Juno.')
})

test('the tool is also found by the offline model, without a key', async () => {
  await using run = await startExample('own-tool.ts', {})
  expect(await run.stdout).toContain('Box 7')
})

test('a person of its own: "always" is asked once, and a no is a no', async () => {
  const write = (line: string) => calling('write_file', { path: 'NOTES.md', content: `${line}\n` })
  await using run = await startWithModel('own-person.ts', [
    write('Horses sleep on their feet.'),
    write('Horses sleep standing up.'),
    calling('run_command', { command: 'rm NOTES.md' }),
    { text: 'Done.' },
  ])
  const keys = ['a', 'n']
  run.child.stderr!.on(
    'data',
    (data) => String(data).endsWith('? ') && run.child.stdin!.write(`${keys.shift()}\n`),
  )
  expect(await run.stdout).toBe('Done.')
  const choices = '[y]es, [a]lways in this session, [n]o? '
  expect((await run.stderr).match(/^\w+ .*: [{"].*|\[y]es.*\? |The call ended: \w+/gm)).toEqual([
    String.raw`Write NOTES.md (1 line): {"path":"NOTES.md","content":"Horses sleep on their feet.\n"}`,
    choices,
    'The call ended: success',
    'The call ended: success',
    'rm NOTES.md: "rm NOTES.md"',
    choices,
    'The call ended: denied',
  ])
  expect(await readFile(join(run.path, 'NOTES.md'), 'utf8')).toBe('Horses sleep standing up.\n')
})

test('servers of a session: one fails, one is removed, and the third answers', async () => {
  await using run = await startWithModel('session-servers.ts', (request, index) =>
    index === 0 ? calling('files__list_directory', { path: '.' }) : { text: lastResult(request) },
  )
  expect(await run.stdout).toContain('package.json')
  const lines = (await run.stderr).trimEnd().split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^files has \d+ tools$/),
      expect.stringMatching(/^memory has \d+ tools$/),
      expect.stringMatching(/^nowhere failed: /),
    ]),
  )
  expect(lines.at(-1)).toBe('Left: files, nowhere')
})

test('a model of its own: opened by a package of the AI SDK, with its window and prices', async () => {
  await using run = await startWithModel(
    'custom-model.ts',
    [{ text: 'One who looks after horses.', usage: { inputTokens: 1_000_000, outputTokens: 0 } }],
    'openai',
  )
  expect(await run.stdout).toBe('One who looks after horses.')
  expect(await run.stderr).toBe('1000000 tokens read, cost 0.2 EUR\n')
  expect(run.model.requests[0]).toMatchObject({
    model: 'qwen3',
    headers: expect.not.objectContaining({ authorization: expect.anything() }),
  })
})

test('the history: a second agent lists, continues, shows and deletes the session of the first', async () => {
  await using run = await startWithModel('history.ts', (request) => ({
    text:
      JSON.stringify(request.messages.at(-1)).includes('called?') &&
      JSON.stringify(request.messages).includes('Juno.')
        ? 'Juno'
        : 'Noted.',
  }))
  expect(await run.stdout).toBe('Noted.\nJuno\n')
  const lines = (await run.stderr).trimEnd().split('\n')
  expect(lines[0]).toBe('My horse is called Juno.: 1 prompts')
  expect(lines.filter((line) => line.endsWith(' prompt'))).toEqual(['1 prompt', '2 prompt'])
  expect(lines.at(-1)).toBe('2 turn_end')
  expect(await readdir(join(run.path, 'state'))).toContain('ostler.db')
})

test('another transport: events over HTTP, a question answered by a second request, and nothing without the token', async () => {
  await using run = await startWithModel('over-http.ts', [
    calling('run_command', { command: 'echo hay' }),
    { text: 'Fed.' },
  ])
  const [line] = (await once(createInterface(run.child.stdout!), 'line')) as [string]
  const [url = '', token] = line.split(' ')
  expect((await fetch(`${url}/prompt`, { method: 'POST', body: 'Feed them' })).status).toBe(401)

  const post = (path: string, body: string) =>
    fetch(url + path, { method: 'POST', body, headers: { authorization: `Bearer ${token}` } })
  const { body } = await post('/prompt', 'Feed them')
  const types: string[] = []
  for await (const text of createInterface(Readable.from(body!))) {
    const event = JSON.parse(text) as { type: string; text?: string; title?: string }
    types.push(event.type)
    if (event.type !== 'question') continue
    expect((await post('/prompt', 'And me')).status).toBe(409)
    expect((await post('/answer', 'yes')).status).toBe(204)
  }
  expect(types).toEqual(
    expect.arrayContaining(['tool_call', 'question', 'tool_call_update', 'text', 'turn_end']),
  )
  expect(lastResult(run.model.requests[1])).toContain('hay')
  run.child.kill('SIGTERM')
  expect(await run.stderr).toBe('')
})
