import { expect, test } from 'vitest'
import { searchTermsOf, wordsOf } from '../../../packages/agent-api/src/tools/search-terms.ts'
import { createToolSearch, type SearchableTool } from '../../../packages/agent-api/src/tools/tool-search.ts'
import { measureRecall } from '../../bench/tool-search.ts'

function tool(
  server: string | null,
  name: string,
  description = '',
  properties: Record<string, unknown> = {},
): SearchableTool {
  return { ref: { server, tool: name }, description, inputSchema: { type: 'object', properties } }
}

const tools = [
  tool('fs', 'readTextFile', 'Reads a file'),
  tool('fs', 'list_directory', 'Lists what is in a folder'),
  tool('github', 'create_pull_request', 'Opens a PR'),
  tool('stars', 'horoscope', 'Your astrology for today'),
  tool('shop', 'place_order', 'Buys it', { voucher: { type: 'string', description: 'A discount code' } }),
  tool(null, 'wetter', 'Wie wird das Wetter? Überall. 天气'),
]
const { search } = await createToolSearch(tools)

test.each([
  ['reading text files', 'readTextFile'],
  ['directories', 'list_directory'],
  ['open a pull request on GitHub', 'create_pull_request'],
  ['what do the astrological signs say', 'horoscope'],
  ['use my discount', 'place_order'],
  ['uberall', 'wetter'],
  ['天气', 'wetter'],
])('%s finds %s', (query, expected) => {
  expect(search(query, 3)[0]?.ref.tool).toBe(expected)
})

test.each([
  '',
  '   ',
  '"',
  '" OR name:x *',
  "'; DROP TABLE tool; --",
  'NEAR(a b)',
  '^x',
  '-file',
  '\0',
  '🐎',
  'a'.repeat(100_000),
  '{name}: x',
])('any text is a valid query: %j', (query) => {
  expect(() => search(query, 5)).not.toThrow()
})

test('the best come first, at most as many as requested, each with its index in the list', () => {
  const matches = search('file folder pull request order', 3)
  expect(matches).toHaveLength(3)
  expect(matches.map(({ score }) => score)).toEqual(
    matches.map(({ score }) => score).toSorted((a, b) => b - a),
  )
  for (const { index, ref } of matches) expect(tools[index]?.ref).toBe(ref)
  expect(search('file', 0)).toEqual([])
})

test('without tools nothing is found', async () => {
  expect((await createToolSearch([])).search('file', 5)).toEqual([])
})

test('words', () => {
  expect(wordsOf('readFile HTTPServer get_sum2-v3.x')).toEqual([
    'read',
    'file',
    'http',
    'server',
    'get',
    'sum2',
    'v3',
    'x',
  ])
  expect(searchTermsOf('Could you please find me the weather?')).toEqual(['weather'])
  expect(searchTermsOf('What can you do?')).toEqual(['what', 'can', 'you', 'do'])
})

const common = await createToolSearch([
  tool('disk', 'delete_file', 'Deletes a file'),
  tool('disk', 'read_file', 'Reads a file'),
  tool('disk', 'write_file', 'Writes a text to a file'),
  tool('stable', 'list_horses', 'Lists the horses of a stable'),
  tool('sky', 'weather_now', 'Tells the weather of a city'),
  tool('math', 'get_sum', 'Adds two numbers'),
])

test.each([
  ['erase a document', 'delete_file'],
  ['mares and stallions', 'list_horses'],
  ['umbrella in Paris', 'weather_now'],
])('%s finds %s by its meaning', (query, expected) => {
  expect(common.search(query, 3)[0]?.ref.tool).toBe(expected)
})

test('the words of a query count more than related words', async () => {
  const { search } = await createToolSearch([tool('a', 'wipe_horse'), tool('b', 'wipe_mare')])
  expect(search('mare', 3).map(({ ref }) => ref.server)).toEqual(['b', 'a'])
})

test('the description of the server finds its tools, after those that say it themselves', async () => {
  const notes = { ...tool('notes', 'add'), serverDescription: 'Keeps recipes' }
  const { search } = await createToolSearch([
    notes,
    tool('kitchen', 'cook', 'Cooks recipes'),
    tool('x', 'other'),
  ])
  expect(search('recipes', 3).map(({ ref }) => ref.tool)).toEqual(['cook', 'add'])
})

test('votes find tools that no word finds, and put others first', async () => {
  const votes = () =>
    new Map([
      ['fs:list_directory', 1],
      ['wetter', 0.5],
      ['gone:tool', 9],
    ])
  const { search } = await createToolSearch(tools, { votes })
  expect(search('zzz', 3).map(({ ref }) => ref.tool)).toEqual(['list_directory', 'wetter'])
  expect(search('reading text files', 1)[0]?.ref.tool).toBe('list_directory')
})

test.each([
  ['words', { meaning: false, votes: false }, [0.41, 0.67, 0.72]],
  ['words and meaning', { meaning: true, votes: false }, [0.42, 0.68, 0.74]],
  ['words and votes', { meaning: false, votes: true }, [0.49, 0.78, 0.83]],
  ['all of them', { meaning: true, votes: true }, [0.49, 0.78, 0.84]],
])('%s find the needed tools of the public ToolE set', async (_, parts, least) => {
  const recalls = await measureRecall(parts)
  expect(recalls.map((recall, index) => recall > (least[index] ?? 1))).toEqual([true, true, true])
})

test('only the beginning of a very long query is read', () => {
  expect(searchTermsOf(`${'help '.repeat(2_000)} astrology`)).toEqual(['astrology'])
  expect(searchTermsOf(`${'help '.repeat(800_000)} astrology`)).toEqual(['help'])
})
