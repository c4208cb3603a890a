import { expect, test } from 'vitest'
import { createToolSearch, searchTermsOf, wordsOf, type SearchableTool } from '../../../packages/agent-api/src/tools/tool-search.ts'
import { measureRecall } from '../../bench/tool-search.ts'

function tool(server: string | null, name: string, description = '', properties: Record<string, unknown> = {}): SearchableTool {
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
  expect(matches.map(({ score }) => score)).toEqual(matches.map(({ score }) => score).toSorted((a, b) => b - a))
  for (const { index, ref } of matches) expect(tools[index]?.ref).toBe(ref)
  expect(search('file', 0)).toEqual([])
})

test('without tools nothing is found', async () => {
  expect((await createToolSearch([])).search('file', 5)).toEqual([])
})

test('words', () => {
  expect(wordsOf('readFile HTTPServer get_sum2-v3.x')).toEqual(['read', 'file', 'http', 'server', 'get', 'sum2', 'v3', 'x'])
  expect(searchTermsOf('Could you please find me the weather?')).toEqual(['weather'])
  expect(searchTermsOf('What can you do?')).toEqual(['what', 'can', 'you', 'do'])
})

test('finds the needed tools of the public ToolE set', async () => {
  const { recall, queries } = await measureRecall(5)
  expect(queries).toBe(1492)
  expect(recall).toBeGreaterThan(0.68)
})
