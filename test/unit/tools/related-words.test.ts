import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadRelatedWords } from '../../../packages/agent-api/src/tools/related-words.ts'
import table from '../../../packages/agent-api/src/tools/related-words.json' with { type: 'json' }

const related = await loadRelatedWords()

test.each([
  ['mare', 'horse'],
  ['mares', 'horse'],
  ['stallions', 'horse'],
  ['erase', 'delete'],
  ['erasing', 'delete'],
  ['cities', 'building'],
  ['umbrella', 'weather'],
])('%s: %s', (word, other) => {
  expect(related(word)).toContain(other)
})

test.each(['', 'qwertz', 'constructor', '天气'])('%j has no related words', (word) => {
  expect(related(word)).toEqual([])
})

test('the table is small, whole and has its licences', () => {
  expect(
    statSync(new URL('../../../packages/agent-api/src/tools/related-words.json', import.meta.url)).size,
  ).toBeLessThan(300_000)
  const all = new Set(table.words.split(' '))
  for (const row of table.rows.split('\n')) {
    const found = related(row.split(' ')[0] ?? '')
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((word) => !all.has(word))).toEqual([])
  }
  expect(table.licences.WordNet).toContain('Copyright 2011 by Princeton University')
  expect(table.licences.emojilib).toContain('The MIT License')
})
