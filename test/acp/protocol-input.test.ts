import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openAcpInProcess,
  openAcpProcess,
  type AcpInProcess,
  type AcpPeer,
  type RpcError,
  type WireMessage,
} from '../support/acp-harness.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'

/** After each bad input, the same connection still serves a normal request. */

const canary = 'canary-5f2d81'

async function openInitialized(): Promise<AcpInProcess> {
  const editor = openAcpInProcess()
  await editor.initialize()
  return editor
}

/** Returns the answers to a line, up to the answer to the harmless request after it. */
async function answersTo(editor: AcpPeer, ...lines: (string | Uint8Array)[]): Promise<WireMessage[]> {
  const before = editor.received().length
  for (const line of lines) {
    editor.sendBytes(line)
    editor.sendBytes('\n')
  }
  await editor.request('authenticate', { methodId: 'environment' })
  return editor.received().slice(before, -1)
}

const parseError = { id: null, error: { code: -32700 } }
const invalidRequest = { id: null, error: { code: -32600 } }

async function peakMemoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

describe('on one connection', () => {
  let editor: AcpInProcess
  beforeAll(async () => void (editor = await openInitialized()))
  afterAll(() => editor[Symbol.asyncDispose]())

  test.each<[string, string | Uint8Array]>([
    ['plain text', 'hello'],
    ['half an object', '{"jsonrpc":"2.0","id":1'],
    ['NUL bytes', '\0\0\0'],
    ['an LSP header', 'Content-Length: 52'],
    ['two objects on one line', '{"jsonrpc":"2.0","method":"a"}{"jsonrpc":"2.0","method":"b"}'],
    ['a line of another kind of space', '\u00a0'],
    [
      'invalid UTF-8',
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}'),
      ]),
    ],
    [
      'a surrogate in UTF-8',
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","method":"'),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from('"}'),
      ]),
    ],
    ['UTF-16', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"x"}', 'utf16le')],
  ])('%s is a parse error', async (_, line) => {
    expect(await answersTo(editor, line)).toMatchObject([parseError])
  })

  test.each([
    ['a number', '1'],
    ['a string', '"hi"'],
    ['null', 'null'],
    ['a boolean', 'true'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"logout"},{"jsonrpc":"2.0","id":2,"method":"logout"}]'],
    ['an empty batch', '[]'],
    ['an array of anything', '[1,2]'],
    ['an empty object', '{}'],
    ['no jsonrpc', `{"id":1,"method":"session/new","params":{"secret":"${canary}"}}`],
    ['another jsonrpc', `{"jsonrpc":"1.0","id":1,"method":"session/new","params":{"secret":"${canary}"}}`],
    ['a method that is no string', `{"jsonrpc":"2.0","id":1,"method":5,"params":{"secret":"${canary}"}}`],
    [
      'a method only in the prototype',
      `{"jsonrpc":"2.0","id":1,"__proto__":{"method":"logout"},"secret":"${canary}"}`,
    ],
    ['the id null', '{"jsonrpc":"2.0","id":null,"method":"logout"}'],
    ['the id true', '{"jsonrpc":"2.0","id":true,"method":"logout"}'],
    ['the id {}', '{"jsonrpc":"2.0","id":{},"method":"logout"}'],
    ['a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"logout"}'],
    ['an id beyond 2^53', '{"jsonrpc":"2.0","id":12345678901234567890,"method":"logout"}'],
    ['the first id that is rounded', '{"jsonrpc":"2.0","id":9007199254740993,"method":"logout"}'],
    ['an id that overflows', '{"jsonrpc":"2.0","id":1e999,"method":"logout"}'],
    ['a string id of more than 1 KiB', `{"jsonrpc":"2.0","id":"${'x'.repeat(1025)}","method":"logout"}`],
  ])('%s is an invalid request, answered once with the id null and not executed', async (_, line) => {
    const answers = await answersTo(editor, line)
    expect(answers).toMatchObject([invalidRequest])
    expect(JSON.stringify(answers)).not.toContain(canary)
    // A logout that had been executed would show here.
    expect(await editor.newSession({ cwd: '/' })).toHaveProperty('sessionId')
  })

  test.each<[string, string | number]>([
    ['zero', 0],
    ['a negative integer', -7],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER],
    ['an empty string', ''],
    ['a string of 1 KiB', 'x'.repeat(1024)],
    ['a string that looks like a number', '1'],
    ['__proto__', '__proto__'],
    ['a lone surrogate', '\ud800'],
  ])('the id %s is returned unchanged', async (_, id) => {
    expect(await editor.request('authenticate', { methodId: 'environment' }, id)).toEqual({})
  })
})

test('a second request with an id in flight is refused, and the first continues', async () => {
  await using model = await startLoopbackModel({ vendor: 'anthropic', script: [{ hang: 'before_headers' }] })
  await using editor = openAcpInProcess({ agent: { model: model.modelId, env: model.env } })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: '/' })
  const prompt = editor.request(
    'session/prompt',
    { sessionId, prompt: [{ type: 'text', text: 'hi' }] },
    'twice',
  )
  editor.sendBytes('{"jsonrpc":"2.0","id":"twice","method":"logout"}\n')
  await editor.waitFor((message) => message.id === null && message.error?.code === -32600)
  await model.waitForRequests(1)
  editor.notify('session/cancel', { sessionId })
  expect(await prompt).toEqual({ stopReason: 'cancelled' })
  expect(await editor.newSession({ cwd: '/' })).toHaveProperty('sessionId')
  // An id is free again once its request has been answered.
  expect(await editor.request('authenticate', { methodId: 'environment' }, 'twice')).toEqual({})
})

test('unknown methods are refused, unknown notifications ignored', async () => {
  await using editor = await openInitialized()
  for (const method of ['nope', '_x/y', 'session/fork', 'toString', 'x'.repeat(100_000)]) {
    await expect(editor.request(method, {})).rejects.toMatchObject({ code: -32601 })
  }
  expect(
    await answersTo(
      editor,
      '{"jsonrpc":"2.0","method":"nope"}',
      '{"jsonrpc":"2.0","method":"$/nope","params":[]}',
    ),
  ).toEqual([])
  expect(Math.max(...editor.received().map((message) => JSON.stringify(message).length))).toBeLessThan(10_000)
})

test.each([
  ['missing', undefined],
  ['null', null],
  ['an array', []],
  ['a string', canary],
  [
    'of the wrong types',
    { sessionId: 5, prompt: canary, modeId: [canary], configId: {}, methodId: 7, cwd: 1 },
  ],
  ['half there', { sessionId: canary }],
])('params that are %s are refused without their values', async (_, params) => {
  await using editor = await openInitialized()
  for (const method of [
    'session/new',
    'session/prompt',
    'session/set_mode',
    'session/set_config_option',
    'authenticate',
  ]) {
    const error: unknown = await editor.request(method, params).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Invalid params: \w+ /),
      data: { code: 'acp.invalid_params', field: expect.any(String) },
    })
    expect(Object.keys((error as RpcError).data as object)).toEqual(['code', 'field'])
    expect(JSON.stringify(error) + String(error)).not.toContain(canary)
  }
})

test('an unknown session is named in the error', async () => {
  await using editor = await openInitialized()
  const sessionId = 'no-such-session'
  const calls: [string, object][] = [
    ['session/prompt', { prompt: [{ type: 'text', text: 'hi' }] }],
    ['session/set_mode', { modeId: 'auto' }],
    ['session/set_config_option', { configId: 'mode', value: 'auto' }],
    ['session/close', {}],
  ]
  for (const [method, params] of calls) {
    await expect(editor.request(method, { sessionId, ...params })).rejects.toMatchObject({
      code: -32002,
      data: { sessionId },
    })
  }
  expect(await editor.request('session/delete', { sessionId })).toEqual({})
})

test('a line of more than 8 MiB is refused once, logged, and skipped', async () => {
  await using editor = await openInitialized()
  const piece = Buffer.alloc(1024 * 1024, 'x')
  editor.sendBytes('{"jsonrpc":"2.0","id":"vast","method":"logout","params":"')
  for (let count = 0; count < 40; count++) editor.sendBytes(piece)
  editor.expectAnswer('vast', 'logout')
  const answers = await answersTo(editor, '"}')
  const message =
    'Invalid request: a message must have at most 8 MiB and 50,000 JSON values; send less at once'
  expect(answers).toEqual([{ jsonrpc: '2.0', id: 'vast', error: { code: -32600, message } }])
  expect(editor.log.filter(({ level }) => level === 'warn')).toHaveLength(1)
  expect(await editor.newSession({ cwd: '/' })).toHaveProperty('sessionId')
})

test('100 MB without a newline neither end the process nor fill its memory', async () => {
  await using editor = await openAcpProcess()
  await editor.initialize()
  const piece = Buffer.alloc(1024 * 1024, 'x')
  for (let count = 0; count < 100; count++) {
    if (!editor.child.stdin?.write(piece))
      await new Promise((resolve) => editor.child.stdin?.once('drain', resolve))
  }
  expect(await answersTo(editor, '')).toEqual([])
  expect(editor.received().filter(({ id }) => id === null)).toMatchObject([invalidRequest])
  expect(await peakMemoryMiB(editor.pid)).toBeLessThan(250)
  expect(editor.stderr()).toMatch(
    /^\S+ warn skipped a line: it may have at most 8 MiB and 50,000 JSON values\n$/,
  )
})

test('BOM, CRLF, empty lines and lone surrogates in strings are accepted', async () => {
  await using editor = await openInitialized()
  const request = (id: string) =>
    `{"jsonrpc":"2.0","id":"${id}","method":"authenticate","params":{"methodId":"environment"}}`
  for (const id of ['bom', 'crlf', '\ud800']) editor.expectAnswer(id, 'authenticate')
  const answers = await answersTo(
    editor,
    `\ufeff${request('bom')}`,
    `${request('crlf')}\r`,
    '',
    ' \t\r',
    request('\\ud800'),
  )
  expect(answers.map(({ id, result }) => [id, result])).toEqual([
    ['bom', {}],
    ['crlf', {}],
    ['\ud800', {}],
  ])
})

test('duplicate keys, __proto__ and deep nesting do no harm', async () => {
  await using editor = await openInitialized()
  const deep = '['.repeat(40_000) + ']'.repeat(40_000)
  const answers = await answersTo(
    editor,
    '{"jsonrpc":"2.0","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"method":"nope","params":{"__proto__":{"polluted":true}}}',
    `{"jsonrpc":"2.0","method":"nope","params":${deep}}`,
    `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":${deep}}}`,
  )
  expect(answers).toEqual([])
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  for (const key of ['_meta', 'mcpServers', 'prompt', 'additionalDirectories']) {
    editor.expectAnswer(`deep ${key}`, 'session/prompt')
    editor.sendBytes(
      `{"jsonrpc":"2.0","id":"deep ${key}","method":"session/prompt","params":{"sessionId":"x","prompt":[],"${key}":${deep}}}\n`,
    )
    const answer = await editor.waitFor(({ id }) => id === `deep ${key}`)
    expect(answer.error?.code).toBeOneOf([-32602, -32002])
  }
})

test('unexpected answers are ignored, with a debug line that contains no part of them', async () => {
  await using editor = await openInitialized()
  const answers = await answersTo(
    editor,
    `{"jsonrpc":"2.0","id":99,"result":"${canary}"}`,
    `{"jsonrpc":"2.0","id":0,"result":{},"error":{"code":1,"message":"${canary}"}}`,
    `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"${canary}"}}`,
    `{"id":0,"result":"${canary}"}`,
  )
  expect(answers).toEqual([])
  expect(editor.log.filter(({ level }) => level === 'debug').length).toBeGreaterThanOrEqual(4)
  expect(editor.log.filter(({ level }) => level !== 'debug')).toEqual([])
  expect(JSON.stringify(editor.log)).not.toContain(canary)
})

test('floods of notifications for nothing are ignored', async () => {
  await using editor = await openInitialized()
  const { sessionId } = await editor.newSession({ cwd: '/' })
  await editor.waitForUpdate(sessionId, 'available_commands_update')
  const before = editor.received().length
  for (let count = 0; count < 2_000; count++)
    editor.sendBytes(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"${sessionId}"}}\n`)
  for (const params of [{ requestId: 'unknown' }, { requestId: {} }, {}, [], null, 5])
    editor.notify('$/cancel_request', params)
  for (const params of [{ sessionId: 5 }, {}, [], null, 5, undefined]) editor.notify('session/cancel', params)
  await editor.request('authenticate', { methodId: 'environment' })
  expect(editor.received().slice(before, -1)).toEqual([])
  expect(await editor.prompt(sessionId, '/tools')).toEqual({ stopReason: 'end_turn' })
})

test('prompts are checked block by block', async () => {
  await using editor = await openInitialized()
  const { sessionId } = await editor.newSession({ cwd: '/' })
  const refused = (prompt: unknown, field: string) =>
    expect(editor.request('session/prompt', { sessionId, prompt })).rejects.toMatchObject({
      code: -32602,
      data: { code: 'acp.invalid_params', field },
    })
  await refused('hi', 'prompt')
  await refused([], 'prompt')
  await refused([{ type: 'hologram', data: 'x' }], 'prompt[0].type')
  await refused([{ type: 'text' }], 'prompt[0].text')
  await refused([{ type: 'image', mimeType: 'image/png' }], 'prompt[0].data')
  await refused([{ type: 'image', mimeType: 'image/png', data: 'not base64!' }], 'prompt[0].data')
  await refused([{ type: 'resource_link', uri: 'file:///x' }], 'prompt[0].name')
  await refused([{ type: 'resource' }], 'prompt[0].resource')
  await refused([{ type: 'resource', resource: { uri: 'file:///x' } }], 'prompt[0].resource')
  await refused([{ type: 'resource', resource: { uri: 'file:///x', blob: '!' } }], 'prompt[0].resource.blob')
  await refused([{ type: 'text', text: 'hi' }, 'and a string'], 'prompt[1]')
  const half = { type: 'text', text: 'x'.repeat(1_100_000) }
  await refused([half, { type: 'resource', resource: { uri: 'file:///x', text: half.text } }], 'prompt')
  const blocks = Array.from({ length: 500 }, (_, index) => ({
    type: 'text' as const,
    text: `/tools ${index}`,
  }))
  expect(await editor.prompt(sessionId, blocks)).toEqual({ stopReason: 'end_turn' })
  expect(await editor.prompt(sessionId, `/tools ${'x'.repeat(2_000_000)}`)).toEqual({
    stopReason: 'end_turn',
  })
  const link = { type: 'resource_link' as const, name: 'shadow', uri: 'file:///etc/shadow' }
  expect(await editor.prompt(sessionId, [{ type: 'text', text: '/tools' }, link])).toEqual({
    stopReason: 'end_turn',
  })
})
