import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { formatToolsForProvider } from '../../../../packages/agent-api/src/provider/format-tools.ts'
import { answer } from '../../../../packages/agent-api/src/provider/offline/answer.ts'
import { toOfflineTool } from '../../../../packages/agent-api/src/provider/offline/offline-tool.ts'

/** As listed by server-everything and server-filesystem. */
const listed = JSON.parse(readFileSync(new URL('server-tools.json', import.meta.url), 'utf8')) as Parameters<
  typeof formatToolsForProvider
>[0]
const offered: LanguageModelV4FunctionTool[] = formatToolsForProvider(listed, 'offline')
const tools = offered.map(toOfflineTool)
const directory = '/home/me/my.app'
const system: LanguageModelV4Prompt[number] = {
  role: 'system',
  content: `Be kind.\n\nThe working directory is ${directory}.\n\nMore.`,
}

function user(text: string): LanguageModelV4Prompt[number] {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function said(text: string): LanguageModelV4Prompt[number] {
  return { role: 'assistant', content: [{ type: 'text', text }] }
}

async function textAfter(...sentences: string[]): Promise<string> {
  const prompt: LanguageModelV4Prompt = [system]
  let text = ''
  for (const sentence of sentences) {
    prompt.push(user(sentence))
    const given = await answer(prompt, tools)
    text = given.type === 'text' ? given.text : `called ${given.toolName}`
    prompt.push(said(text))
  }
  return text
}

describe('the tool whose name matches is chosen, with its arguments', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['list the files in this folder', 'list_directory', { path: directory }],
    ['list the directory /tmp/x', 'list_directory', { path: '/tmp/x' }],
    ['show the folder /tmp/x', 'list_directory', { path: '/tmp/x' }],
    ['list the directory with sizes /tmp/x', 'list_directory_with_sizes', { path: '/tmp/x' }],
    ['show the directory tree of /tmp', 'directory_tree', { path: '/tmp' }],
    ['Add 2 and 3', 'get-sum', { a: 2, b: 3 }],
    ['what is 2 plus 3?', 'get-sum', { a: 2, b: 3 }],
    ['open README.md', 'read_file', { path: 'README.md' }],
    ['read the media file /tmp/a.png', 'read_media_file', { path: '/tmp/a.png' }],
    ['read multiple files paths=["a.txt","b.txt"]', 'read_multiple_files', { paths: ['a.txt', 'b.txt'] }],
    ['get file info for notes.txt', 'get_file_info', { path: 'notes.txt' }],
    ['write "hello" to notes.txt', 'write_file', { path: 'notes.txt', content: 'hello' }],
    [
      'read the last lines of the text file /tmp/a.txt, tail=5',
      'read_text_file',
      { path: '/tmp/a.txt', tail: 5 },
    ],
    ['find files named horse.txt here', 'search_files', { path: directory, pattern: 'horse.txt' }],
    ['find files named *.json here', 'search_files', { path: directory, pattern: '*.json' }],
    ['search for "*.md" in this folder', 'search_files', { path: directory, pattern: '*.md' }],
    ['which directories are allowed?', 'list_allowed_directories', {}],
    ['list the roots', 'get-roots-list', {}],
    ['echo hello world', 'echo', { message: 'hello world' }],
    ['create a directory called "my horses"', 'create_directory', { path: 'my horses' }],
  ])('%s', async (text, toolName, input) => {
    expect(await answer([system, user(text)], tools)).toEqual({ type: 'call', toolName, input })
  })
})

describe('a text that is not a path is not used as one, and the model asks for a path', () => {
  test.each([
    ['create a directory', 'create_directory', ['path']],
    ['create a directory called my horses', 'create_directory', ['path']],
    ['make a folder named stable in /tmp', 'create_directory', ['path']],
    ['write hello to notes.txt', 'write_file', ['content']],
    ['search for files with horse in the name', 'search_files', ['path', 'pattern']],
    ['write tests for src/main.ts', 'write_file', ['content']],
    ['find files named *.json', 'search_files', ['path']],
  ])('%s', async (text, toolName, missing) => {
    const question = await textAfter(text)
    expect(question).toMatch(new RegExp(`^To run \`${toolName}\` I still need:`))
    expect([...question.matchAll(/^- `(\w+)`/gm)].map(([, name]) => name)).toEqual(missing)
  })

  test('nor is this folder, if it is unknown', async () => {
    expect(await answer([user('list the files in this folder')], tools)).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/^To run `list_directory` I still need/),
    })
  })
})

describe('when in doubt nothing runs', () => {
  test.each([
    'how many tools are there?',
    'add 2 to my list',
    'I need a long operation on my knee',
    'the tiny image of God in man',
    'my horses file taxes',
    'write a poem about horses',
    'delete /tmp/a.txt',
    '/tmp/x.txt is nice',
    'Please add a file called x.txt',
    'fix the bug in main.ts',
    'explain this directory',
    'tell me a joke',
    'what time is it?',
    'find my keys',
    'list',
    'print',
  ])('%s', async (text) => {
    expect(await textAfter(text)).toMatch(/^None of the \d+ tools clearly matches that, so I ran nothing\./)
  })
})

test('the introduction is given once, not with every miss', async () => {
  expect(await textAfter('tell me a joke')).toMatch(/built-in offline model/)
  expect(await textAfter('tell me a joke', 'another one')).toBe(
    `None of the ${tools.length} tools clearly matches that, so I ran nothing. \`/tools\` lists them.`,
  )
  expect(await textAfter('hello', 'tell me a joke')).not.toMatch(/built-in offline model/)
})

describe('commands', () => {
  test.each([
    ['/call ech', /There is no tool `ech`\. Did you mean `echo`\?/],
    ['/call read_txt_file', /Did you mean `read_text_file`\?/],
    ['/call nowhere', /There is no tool `nowhere`\. `\/tools` lists all \d+ tools\./],
    ['/call echo', /^To run `echo` I still need:\n\n- `message` .*\n\nSay it again with `message=…`\.$/],
  ])('%s', async (text, expected) => {
    expect(await textAfter(text)).toMatch(expected)
  })

  test('without arguments run tools that need none, and otherwise keep what was written', async () => {
    expect(await textAfter('/call get-env')).toBe('called get-env')
    expect(await answer([user('/call echo {}')], tools)).toEqual({
      type: 'call',
      toolName: 'echo',
      input: {},
    })
  })
})
