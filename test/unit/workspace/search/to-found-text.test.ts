import { expect, test } from 'vitest'
import type {
  FoundLine,
  SearchFound,
  SearchJob,
} from '../../../../packages/agent-api/src/workspace/search/ripgrep.ts'
import { toFoundText } from '../../../../packages/agent-api/src/workspace/search/to-found-text.ts'

const job: SearchJob = {
  folder: '/p',
  file: undefined,
  pattern: 'x',
  isLiteral: false,
  ignoresCase: false,
  context: 0,
  glob: undefined,
  matchesMax: 3,
  includesSecrets: false,
  ownFiles: [],
  msMax: 1_000,
}
const line = (path: string, number: number, column?: number, text = 'text'): FoundLine => ({
  path,
  line: number,
  column,
  text,
})
const shown = (found: Partial<SearchFound>, over: Partial<SearchJob> = {}) =>
  toFoundText(
    { lines: [], stoppedBy: undefined, unreadable: 0, secretFiles: 0, ...found },
    { ...job, ...over },
    (path) => `src/${path}`,
    (text) => text,
  )

test('matches are listed by file, with context and gaps', () => {
  const lines = [
    line('a', 1, 1),
    line('a', 2, 1),
    line('a', 9, 1),
    line('b', 3),
    line('b', 4, 2),
    line('b', 8),
    line('b', 9, 1),
  ]
  expect(shown({ lines })).toBe(
    'src/a\n1: text\n2: text\n9: text\n\nsrc/b\n3- text\n4: text\n--\n8- text\n9: text\n\n[5 matches in 2 files]',
  )
})

test.each<[Partial<SearchFound>, Partial<SearchJob>, string]>([
  [{}, {}, '[No matches. Ignored and binary files were not searched.]'],
  [
    {},
    { glob: '*.ts' },
    '[No matches in files that match the glob. Ignored and binary files were not searched.]',
  ],
  [{ lines: [line('a', 1, 1)] }, {}, '[1 match in 1 file]'],
  [{ lines: [line('a', 1, 1)], stoppedBy: 'limit' }, {}, '[The first 3 matches that were found.'],
  [{ stoppedBy: 'time' }, {}, '[The search was stopped, because it took too long.'],
  [{ unreadable: 2 }, {}, '[2 files or directories could not be read.]'],
  [{ secretFiles: 1 }, {}, '[Matches in 1 file that usually holds secrets are not shown'],
  [{ lines: [line('a', 1, 500)] }, {}, '1: text … (match at column 500)'],
  [
    { lines: Array.from({ length: 1_000 }, (_, at) => line('a', at, 1, 'x'.repeat(400))) },
    {},
    '[The rest is not shown: the result is too long.',
  ],
])('%j %j', (found, over, expected) => expect(shown(found, over)).toContain(expected))
