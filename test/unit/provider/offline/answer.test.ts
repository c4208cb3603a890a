import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answer } from '../../../../packages/agent-api/src/provider/offline/answer.ts'
import { toOfflineTool } from '../../../../packages/agent-api/src/provider/offline/offline-tool.ts'
import { offeredTools } from './tools.ts'
import { anyText } from '../../../support/any-text.ts'

const tools = offeredTools.map(toOfflineTool)

function user(text: string): LanguageModelV4Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function said(text: string): LanguageModelV4Prompt[number] {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

function called(toolName: string, input: unknown): LanguageModelV4Prompt[number] {
  return { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName, input }] }
}

function returned(
  toolName: string,
  value: string,
  type: 'text' | 'error-text' = 'text',
): LanguageModelV4Prompt[number] {
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c', toolName, output: { type, value } }],
  }
}

describe('a sentence becomes a call', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['add 2 and 3', 'calc__add', { a: 2, b: 3 }],
    ['Please add -1.5 to 2e3', 'calc__add', { a: -1.5, b: 2000 }],
    ['add b=7 a=1', 'calc__add', { b: 7, a: 1 }],
    ['echo hello world', 'demo__echo', { message: 'hello world' }],
    ['Can you echo "Grüße, Jürgen!" for me?', 'demo__echo', { message: 'Grüße, Jürgen!' }],
    ['What is the weather in New York?', 'weather__get_weather', { city: 'New York' }],
    ['weather in São Paulo please', 'weather__get_weather', { city: 'São Paulo' }],
    ['read the file /tmp/notes.txt', 'fs__read_text_file', { path: '/tmp/notes.txt' }],
    ['read file src/main.ts head=5', 'fs__read_text_file', { path: 'src/main.ts', head: 5 }],
    [
      'Read file [main.rs](file:///home/me/my%20app/main.rs)',
      'fs__read_text_file',
      { path: '/home/me/my app/main.rs' },
    ],
    ['move ./a.txt to ../b/c.txt', 'fs__move_file', { source: './a.txt', destination: '../b/c.txt' }],
    ['fetch https://example.com/a?b=c, please', 'web__fetch', { url: 'https://example.com/a?b=c' }],
    ['fetch https://example.com raw=no', 'web__fetch', { url: 'https://example.com', raw: false }],
    [
      'create an issue "It crashes" priority=high',
      'tracker__create_issue',
      { priority: 'high', title: 'It crashes' },
    ],
    [
      'create issue "It crashes" priority=low labels=["ui","crash"]',
      'tracker__create_issue',
      {
        priority: 'low',
        labels: ['ui', 'crash'],
        title: 'It crashes',
      },
    ],
    [
      'send an email to a.b+c@example.org "Lunch" "At noon?"',
      'mail__send_email',
      {
        to: 'a.b+c@example.org',
        subject: 'Lunch',
        body: 'At noon?',
      },
    ],
    ['mean values=[1,2,3,4.5]', 'stats__mean', { values: [1, 2, 3, 4.5] }],
    ['list orders', 'shop__list_orders', {}],
    ['list orders customer=acme, limit=10', 'shop__list_orders', { customer: 'acme', limit: 10 }],
    ['list_orders', 'shop__list_orders', {}],
  ])('%s', async (text, toolName, input) => {
    expect(await answer([user(text)], tools)).toEqual({ type: 'call', toolName, input })
  })
})

describe('anything but a request is answered with text', () => {
  test.each([
    ['hello', /built-in offline model\. I do not understand language/],
    ['What can you do?', /ANTHROPIC_API_KEY/],
    ['sing me a lullaby', /None of the 10 tools clearly matches/],
    ['/call', /Write `\/call tool/],
    ['/call nowhere {}', /There is no tool `nowhere`\. `\/tools` lists all 10/],
    ['/call ad {}', /There is no tool `ad`. Did you mean `add`\?/],
    ['/call add {"a": 1,}', /are not JSON: .*position/],
    ['/call add [1]', /must be a JSON object/],
  ])('%s', async (text, expected) => {
    const given = await answer([user(text)], tools)
    expect(given).toMatchObject({ type: 'text', text: expect.stringMatching(expected) })
  })

  test('it reports that there are no tools', async () => {
    expect(await answer([user('add 2 and 3')], [])).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/No tools are connected/),
    })
  })

  test('of two tools with names of one meaning, the one that is said is run', async () => {
    const echo = tools.find(({ name }) => name === 'demo__echo')
    const both = ['find_files', 'search_files'].map((name) => ({
      ...echo!,
      name,
      description: 'Finds files',
    }))
    for (const [said, toolName] of [
      ['search files for "x"', 'search_files'],
      ['find files "x"', 'find_files'],
    ] as const)
      expect(await answer([user(said)], both)).toEqual({ type: 'call', toolName, input: { message: 'x' } })
  })

  test('two tools with the same name are both offered, and neither is run', async () => {
    const twice = [...tools, { ...tools[0]!, name: 'other__add' }]
    expect(await answer([user('add 2 and 3')], twice)).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/calc__add[\s\S]*other__add/),
    })
    expect(await answer([user('/call add {}')], twice)).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/Several tools match equally well.*`calc__add`, `other__add`/),
    })
    expect(await answer([user('other__add 2 3')], twice)).toEqual({
      type: 'call',
      toolName: 'other__add',
      input: { a: 2, b: 3 },
    })
  })
})

test('/call runs a tool by its whole or its bare name, with JSON or with names and values', async () => {
  expect(await answer([user('/call calc__add {"a":1,"b":2}')], tools)).toEqual({
    type: 'call',
    toolName: 'calc__add',
    input: { a: 1, b: 2 },
  })
  expect(await answer([user('/call add b=2 a=1')], tools)).toEqual({
    type: 'call',
    toolName: 'calc__add',
    input: { a: 1, b: 2 },
  })
  expect(await answer([user('/call add 1 2')], tools)).toEqual({
    type: 'call',
    toolName: 'calc__add',
    input: { a: 1, b: 2 },
  })
  expect(await answer([user('/call echo\n{"message":"multi\\nline"}')], tools)).toEqual({
    type: 'call',
    toolName: 'demo__echo',
    input: { message: 'multi\nline' },
  })
})

test('missing arguments are requested in text', async () => {
  expect(await answer([user('add 2')], tools)).toEqual({
    type: 'text',
    text: 'To run `calc__add` I still need:\n\n- `b` (number)\n\nSay it again with `b=…`.',
  })
  expect(await answer([user('create issue')], tools)).toMatchObject({
    text: expect.stringContaining('- `priority` (one of low, medium, high)'),
  })
})

describe('results end the turn with text', () => {
  const start = [user('add 2 and 3'), called('calc__add', { a: 2, b: 3 })]

  test('quoted', async () => {
    expect(await answer([...start, returned('calc__add', '5\nfive')], tools)).toEqual({
      type: 'text',
      text: '`calc__add` answered:\n\n> 5\n> five',
    })
  })

  test('as an error', async () => {
    expect(await answer([...start, returned('calc__add', 'No.', 'error-text')], tools)).toEqual({
      type: 'text',
      text: '`calc__add` failed:\n\n> No.',
    })
  })

  test('with files mentioned', async () => {
    const image = {
      type: 'file' as const,
      mediaType: 'image/png',
      data: { type: 'data' as const, data: 'AAAA' },
    }
    const result = {
      type: 'tool-result' as const,
      toolCallId: 'c',
      toolName: 'calc__add',
      output: { type: 'content' as const, value: [image, image] },
    }
    expect(await answer([...start, { role: 'tool', content: [result] }], tools)).toEqual({
      type: 'text',
      text: '`calc__add` answered:\n\nIt also returned 2 files.',
    })
  })

  test('capped', async () => {
    const given = await answer([...start, returned('calc__add', 'x'.repeat(100_000))], tools)
    expect(given.type === 'text' && given.text.length).toBeLessThan(2_200)
  })

  test('and the next turn starts over', async () => {
    const next = [...start, returned('calc__add', '5'), said('`calc__add` answered: 5'), user('echo hi')]
    expect(await answer(next, tools)).toEqual({
      type: 'call',
      toolName: 'demo__echo',
      input: { message: 'hi' },
    })
  })
})

test('every text has an answer, and a call uses an offered tool with valid arguments', async () => {
  const words = fc.constantFrom(
    'add',
    'file',
    '/call',
    '/tools',
    'a=1',
    'b: x',
    '"',
    "'",
    '{"a":',
    '}',
    '[x](y:z)',
    '-1e9',
    '../',
    '@',
    '=',
    '\n',
    '🐎',
    '\ud83d',
    '__proto__=1',
  )
  const text = fc.oneof(
    anyText(),
    fc.array(words).map((parts) => parts.join(' ')),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('user', 'assistant'), text), { minLength: 1, maxLength: 5 }),
      async (conversation) => {
        const prompt = [
          ...conversation.map(([role, text]) => (role === 'user' ? user(text) : said(text))),
          user(conversation[0]?.[1] ?? ''),
        ]
        const given = await answer(prompt, tools)
        const names: readonly string[] = given.type === 'call' ? [given.toolName] : []
        expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]))
        expect(JSON.parse(JSON.stringify(given))).toEqual(given)
      },
    ),
    { numRuns: 100 },
  )
})

describe('a very long message', () => {
  test('is kept complete', async () => {
    const message = 'lorem ipsum '.repeat(2_000).trim()
    expect(await answer([user(`echo ${message}`)], tools)).toEqual({
      type: 'call',
      toolName: 'demo__echo',
      input: { message },
    })
  })

  // With a quadratic pattern, this would not end in time.
  test.each(['a', 'a-', 'a.', '1', '[', '"a', 'a=', 'a/', 'a@', "'", '\\', ' '])(
    'of nothing but %j is read',
    async (piece) => {
      expect(await answer([user(`add ${piece.repeat(400_000)}`)], tools)).toBeDefined()
    },
  )
})
