import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { toMarkdownCode, toMarkdownText } from '../../../packages/agent-api/src/base/markdown-text.ts'
import { endMarkdown, feedMarkdown, markdownStart } from '../../../packages/cli/src/terminal/markdown.ts'
import { plain, type Style } from '../../../packages/cli/src/terminal/style.ts'

const texts = [
  '*.ts at any depth, src/**/*.{js,ts}',
  '*not emphasis* and __not bold__, _nor this_',
  'read_file and __init__.py',
  'a server with <b>HTML</b> and <script>alert(1)</script>',
  'a [link](other.md) and ![an image](x.png)',
  String.raw`C:\Users\*\x and a\_b`,
  '`code` and ~~struck~~ and &lt;b&gt; and &#x41;',
  '[[twice]](other.md) and [a]: b',
  '# no heading',
  '> no quote',
  '- no list',
  'one | two',
]

/** The parser of the console. */
const { parse } = createRequire(new URL('../../../packages/console/package.json', import.meta.url))(
  'marked',
) as {
  parse(text: string): string
}

/** The text that a Markdown reader shows. */
function read(markdown: string): string {
  const [, html = ''] = /^<p>([^<]*)<\/p>\n$/.exec(parse(markdown)) ?? [undefined, parse(markdown)]
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

const marking: Style = (_formats, text) => `«${text}»`

test.each(texts)('%s is shown unchanged by an editor and in the chat', (text) => {
  const markdown = toMarkdownText(text)
  expect(read(markdown)).toBe(text)
  for (const style of [plain, marking]) {
    const page = { columns: 200, style }
    const { state, rows } = feedMarkdown(markdownStart, markdown, page)
    expect([...rows, ...endMarkdown(state, page)].join('\n')).toBe(text)
  }
})

test('code of a model keeps its backslashes in the chat', () => {
  for (const style of [plain, marking]) {
    const { state, rows } = feedMarkdown(markdownStart, String.raw`\*plain\* and `, { columns: 200, style })
    const more = feedMarkdown(state, '`' + String.raw`C:\*` + '`', { columns: 200, style })
    const shown = [...rows, ...more.rows, ...endMarkdown(more.state, { columns: 200, style })].join('')
    expect(shown.replaceAll('`', '')).toBe(
      style === plain ? String.raw`*plain* and C:\*` : String.raw`*plain* and «C:\*»`,
    )
  }
})

test('a text without special characters is unchanged', () => {
  for (const text of [
    'read_file',
    'files: no such file [exit code 3]',
    "don't; a & b",
    'x < y'.replace('<', '≤'),
    '~/projects',
  ])
    expect(toMarkdownText(text)).toBe(text)
})

test('code cannot be closed by its content', () => {
  expect(toMarkdownCode('a`b` *c*')).toBe("`a'b' *c*`")
})
