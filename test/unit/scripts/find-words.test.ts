import { expect, test } from 'vitest'
import { findWords } from '../../scripts/find-words.ts'

test.for<[string, string]>([
  ['/** Closes them, too. */', ', too'],
  ['// Offers a login in both places, too', ', too'],
  ["throw new Error('a key that is none')", 'is none'],
  ["say('There are none.')", 'are none'],
  ['// Meanwhile, others write.', 'Meanwhile'],
  ['/** Or elsewhere. */', 'elsewhere'],
  ['/** Like the one before. */', 'the one before'],
  ['/** Leaves out what is no app. */', 'is no a'],
  ["say('--a and --b require each other')", 'require each other'],
  ['/** What it costs. */', 'What'],
  ['  // Whoever asks.', 'Whoever'],
  ['// Who asks is told.', 'Who'],
  ['/** Which tools there are. */', 'Which'],
  ['/** Those of the page. */', 'Those'],
  ['/* That of the page. */', 'That'],
  ['{/* What is shown. */}', 'What'],
])('%s: found in a source', ([line, words]) => {
  expect(findWords('a.ts', `const a = 1\n${line}\n`)).toEqual([
    { line: 2, words, instead: expect.stringMatching(/\w/) },
  ])
})

test.for([
  '// A file that is too large, too small, or absent.',
  '/** The models, whatever they cost. */',
  '/** If there is no file, it is no longer read. */',
  '/**\n * Does nothing if there\n * is no file.\n */',
  'const none = isNone',
  '// Ostler asks first.\n// That costs a question.',
  'Whatever(1)',
])('%s: fine', (text) => {
  expect(findWords('a.ts', text)).toEqual([])
})

test('in a page, code is not read, and a sentence may begin with any word', () => {
  const page = 'What it costs: `is none`.\n\n```\nelsewhere\n```\n\nThat is elsewhere.\n'
  expect(findWords('a.md', page)).toEqual([{ line: 7, words: 'elsewhere', instead: 'name the place' }])
})
