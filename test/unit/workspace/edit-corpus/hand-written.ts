import { sources } from './sources.ts'

export interface EditCase {
  readonly name: string
  readonly text: string
  readonly edits: readonly { readonly old: string; readonly new: string; readonly all?: boolean }[]
  /** The new text, or a pattern of the reason why nothing is changed. */
  readonly expected: string | RegExp
  /** A pattern that the notes match. Without one, there must be no notes. */
  readonly note?: RegExp
}

const app = sources['app.ts'] ?? ''
const tree = sources['tree.go'] ?? ''
const shapes = sources['shapes.py'] ?? ''
const notes = sources['notes.md'] ?? ''
const crlf = (text: string) => text.replaceAll('\n', '\r\n')

export const handWrittenCases: readonly EditCase[] = [
  // Exact
  { name: 'one word', text: 'one two three', edits: [{ old: 'two', new: '2' }], expected: 'one 2 three' },
  { name: 'the whole text', text: 'a', edits: [{ old: 'a', new: '' }], expected: '' },
  {
    name: 'replacement patterns are plain text',
    text: 'cost',
    edits: [{ old: 'cost', new: "$& $1 $$ $`$'" }],
    expected: "$& $1 $$ $`$'",
  },
  {
    name: 'regular expressions are plain text',
    text: 'a.c abc',
    edits: [{ old: 'a.c', new: 'x' }],
    expected: 'x abc',
  },
  { name: 'deletes lines', text: 'a\nb\nc\n', edits: [{ old: 'b\n', new: '' }], expected: 'a\nc\n' },
  {
    name: 'inserts before the first line',
    text: 'a\nb\n',
    edits: [{ old: 'a\n', new: 'x\na\n' }],
    expected: 'x\na\nb\n',
  },
  {
    name: 'appends after the last line',
    text: 'a\nb\n',
    edits: [{ old: 'b\n', new: 'b\nc\n' }],
    expected: 'a\nb\nc\n',
  },
  { name: 'a last line without an end', text: 'a\nb', edits: [{ old: 'b', new: 'c' }], expected: 'a\nc' },
  {
    name: 'signs outside the basic plane',
    text: notes,
    edits: [{ old: '🎉', new: '🎊' }],
    expected: notes.replace('🎉', '🎊'),
  },
  {
    name: 'half of such a sign is not found in another',
    text: 'x🎉y',
    edits: [{ old: 'x🎊', new: '' }],
    expected: /not in the file/,
  },
  {
    name: 'two edits',
    text: 'one two three',
    edits: [
      { old: 'three', new: '3' },
      { old: 'one', new: '1' },
    ],
    expected: '1 two 3',
  },
  {
    name: 'adjacent edits',
    text: 'onetwo',
    edits: [
      { old: 'one', new: '1' },
      { old: 'two', new: '2' },
    ],
    expected: '12',
  },
  {
    name: 'swaps two words',
    text: 'left right',
    edits: [
      { old: 'left', new: 'right' },
      { old: 'right', new: 'left' },
    ],
    expected: 'right left',
  },
  {
    name: 'one edit that only another would make ambiguous',
    text: 'a b',
    edits: [
      { old: 'a', new: 'b' },
      { old: 'b', new: 'c' },
    ],
    expected: 'b c',
  },
  { name: 'blanks only', text: 'a\n\n\n\nb', edits: [{ old: '\n\n\n\n', new: '\n' }], expected: 'a\nb' },

  // replace_all
  {
    name: 'all places',
    text: 'a b a b a',
    edits: [{ old: 'a', new: 'c', all: true }],
    expected: 'c b c b c',
  },
  {
    name: 'all places, if there is one',
    text: 'a b',
    edits: [{ old: 'a', new: 'c', all: true }],
    expected: 'c b',
  },
  {
    name: 'all places of nothing',
    text: 'a b',
    edits: [{ old: 'x', new: 'c', all: true }],
    expected: /not in the file/,
  },
  {
    name: 'all places by something longer',
    text: 'aba',
    edits: [{ old: 'a', new: 'aa', all: true }],
    expected: 'aabaa',
  },
  {
    name: 'all places, and one edit between',
    text: 'x 1 x',
    edits: [
      { old: 'x', new: 'y', all: true },
      { old: '1', new: '2' },
    ],
    expected: 'y 2 y',
  },
  {
    name: 'all places on lines with blanks',
    text: 'do()  \nx\ndo() \n',
    edits: [{ old: 'do()\n', new: 'done()\n', all: true }],
    expected: 'done()\nx\ndone()\n',
    note: /blanks.*line 1, 3/,
  },
  {
    name: 'all exact places leave similar ones',
    text: '  go()\ngo()\n',
    edits: [{ old: '\ngo()\n', new: '\nstop()\n', all: true }],
    expected: '  go()\nstop()\n',
  },

  // Several, none, overlapping
  {
    name: 'twice',
    text: 'a\nb\na\n',
    edits: [{ old: 'a', new: 'x' }],
    expected: /in the file 2 times, at lines 1, 3\. Include more of the text around it, or set replace_all/,
  },
  {
    name: 'overlapping itself',
    text: 'aaa',
    edits: [{ old: 'aa', new: 'b' }],
    expected: /2 times, at lines 1, 1/,
  },
  {
    name: 'overlapping itself, all',
    text: 'aaa',
    edits: [{ old: 'aa', new: 'b', all: true }],
    expected: /overlaps itself at line 1/,
  },
  {
    name: 'many times',
    text: 'a\n'.repeat(100),
    edits: [{ old: 'a\n', new: 'x\n' }],
    expected: /100 times, at lines 1, 2, .*20 and 80 more/,
  },
  {
    name: 'nothing like it',
    text: 'one\ntwo\n',
    edits: [{ old: 'zebra', new: 'x' }],
    expected: /not in the file\. Nothing in the file is like it/,
  },
  { name: 'an empty file', text: '', edits: [{ old: 'a', new: 'x' }], expected: /not in the file/ },
  {
    name: 'empty old_text',
    text: 'a',
    edits: [{ old: '', new: 'x' }],
    expected: /old_text is empty\. To write a whole file, use write_file/,
  },
  { name: 'no change', text: 'a', edits: [{ old: 'a', new: 'a' }], expected: /are the same/ },
  {
    name: 'edits that change nothing together',
    text: 'a\r\nb',
    edits: [
      { old: 'a\r\nb', new: 'a\nb\n' },
      { old: 'z', new: '' },
    ],
    expected: /edit 2 is not in the file/,
  },
  {
    name: 'the second is not found',
    text: 'a b',
    edits: [
      { old: 'a', new: 'x' },
      { old: 'c', new: 'y' },
    ],
    expected: /old_text of edit 2 is not/,
  },
  {
    name: 'overlapping edits',
    text: 'one two three',
    edits: [
      { old: 'one two', new: '1' },
      { old: 'two three', new: '2' },
    ],
    expected: /edits 1 and 2 overlap at line 1\. Join them/,
  },
  {
    name: 'the same edit twice',
    text: 'one two',
    edits: [
      { old: 'one', new: '1' },
      { old: 'one', new: '2' },
    ],
    expected: /edits 1 and 2 overlap/,
  },
  {
    name: 'one edit inside another',
    text: 'a\nb\nc\n',
    edits: [
      { old: 'b', new: 'x' },
      { old: 'a\nb\nc', new: 'y' },
    ],
    expected: /edits 1 and 2 overlap at line 2/,
  },
  {
    name: 'an edit of what another adds',
    text: 'a',
    edits: [
      { old: 'a', new: 'new line' },
      { old: 'new line', new: 'x' },
    ],
    expected: /Edit 1 adds it, but every edit applies to the file as it was before the call: join the two/,
  },
  {
    name: 'an edit of what the second edit adds in the middle of a text',
    text: 'one\ntwo\n',
    edits: [
      { old: 'one', new: 'ONE' },
      { old: 'two', new: 'two and three' },
      { old: 'and', new: 'or' },
    ],
    expected: /Edit 2 adds it, but every edit applies to the file as it was before the call: join the two/,
  },
  {
    name: 'with the numbers of read_file',
    text: 'one\ntwo\n',
    edits: [{ old: '1\tone\n2\ttwo', new: 'x' }],
    expected: /begins with line numbers, which read_file adds: leave them out/,
  },
  {
    name: 'the nearest lines by a same line',
    text: app,
    edits: [{ old: "  if (port === 0) {\n    log('choosing a door')", new: 'x' }],
    expected:
      /The nearest lines are:\n10\t {2}const server.*\n11\t {2}if \(port === 0\) \{\n12\t {4}log\('choosing a port'\)/,
  },
  {
    name: 'the nearest lines by words',
    text: shapes,
    edits: [{ old: 'raise ValueError("the factor must be above zero")', new: 'x' }],
    expected: /nearest lines are:\n12\t.*\n13\t {12}raise ValueError/,
  },
  {
    name: 'the nearest lines of a long text',
    text: app,
    edits: [{ old: app.replace('await server', 'await the.server'), new: '' }],
    expected: /nearest lines are:\n1\timport/,
  },
  {
    name: 'a long nearest line is cut',
    text: `const table = [${'1, '.repeat(500)}]\nx\n`,
    edits: [{ old: 'const table = [1]\nx\n', new: '' }],
    expected: /…/,
  },

  // Line endings
  {
    name: 'LF in a CRLF file',
    text: crlf('a\nb\nc\n'),
    edits: [{ old: 'a\nb', new: 'x\ny' }],
    expected: crlf('x\ny\nc\n'),
    note: /line endings differ; those of the file were kept: line 1/,
  },
  {
    name: 'CRLF in a CRLF file',
    text: crlf('a\nb\nc\n'),
    edits: [{ old: 'a\r\nb', new: 'x\r\ny' }],
    expected: crlf('x\ny\nc\n'),
  },
  {
    name: 'CRLF in an LF file',
    text: 'a\nb\nc\n',
    edits: [{ old: 'a\r\nb', new: 'x\r\ny' }],
    expected: 'x\ny\nc\n',
    note: /line endings/,
  },
  {
    name: 'old with CRLF, new with LF',
    text: crlf('a\nb\nc\n'),
    edits: [{ old: 'a\r\nb', new: 'x\ny' }],
    expected: crlf('x\ny\nc\n'),
  },
  {
    name: 'more lines in a CRLF file',
    text: crlf('a\nb\n'),
    edits: [{ old: 'a', new: 'x\ny' }],
    expected: crlf('x\ny\nb\n'),
  },
  {
    name: 'new CRLF in an LF file',
    text: 'a\nb\n',
    edits: [{ old: 'a', new: 'x\r\ny' }],
    expected: 'x\ny\nb\n',
  },
  {
    name: 'converts line ends on purpose',
    text: 'x\r\ny',
    edits: [{ old: '\r\n', new: '\n' }],
    expected: 'x\ny',
  },
  {
    name: 'a mixed file keeps the ends around',
    text: 'a\r\nb\nc\r\nd\n',
    edits: [{ old: 'b', new: 'x\ny' }],
    expected: 'a\r\nx\ny\nc\r\nd\n',
  },
  {
    name: 'a mixed file, at a CRLF',
    text: 'a\r\nb\nc\r\nd\n',
    edits: [{ old: 'c', new: 'x\ny' }],
    expected: 'a\r\nb\nx\r\ny\r\nd\n',
  },
  {
    name: 'the last line of a CRLF file',
    text: 'a\r\nb',
    edits: [{ old: 'b', new: 'x\ny' }],
    expected: 'a\r\nx\r\ny',
  },
  {
    name: 'deletes a line of a CRLF file',
    text: crlf('a\nb\nc\n'),
    edits: [{ old: 'b\n', new: '' }],
    expected: crlf('a\nc\n'),
    note: /line endings/,
  },
  {
    name: 'starts at the end of a line',
    text: crlf('a\nb\nc\n'),
    edits: [{ old: '\nb', new: '\nx' }],
    expected: crlf('a\nx\nc\n'),
    note: /line endings/,
  },
  { name: 'a lone CR is a character', text: 'a\rb\n', edits: [{ old: 'a\rb', new: 'x' }], expected: 'x\n' },
  {
    name: 'two edits of a CRLF file',
    text: crlf('a\nb\nc\nd\n'),
    edits: [
      { old: 'd\n', new: 'y\n' },
      { old: 'a\n', new: 'x\n' },
    ],
    expected: crlf('x\nb\nc\ny\n'),
    note: /line endings.*line 1, 4/,
  },

  // Trailing blanks
  {
    name: 'blanks in the file',
    text: 'a  \nb\t\nc\n',
    edits: [{ old: 'a\nb\n', new: 'x\n' }],
    expected: 'x\nc\n',
    note: /blanks at the ends of lines differ: line 1/,
  },
  {
    name: 'blanks in old_text',
    text: 'a\nb\n',
    edits: [{ old: 'a  \nb', new: 'x' }],
    expected: 'x\n',
    note: /blanks/,
  },
  {
    name: 'an empty line with blanks',
    text: 'a\n    \nb\n',
    edits: [{ old: 'a\n\nb', new: 'a\nb' }],
    expected: 'a\nb\n',
    note: /blanks/,
  },
  {
    name: 'blanks and CRLF',
    text: 'a  \r\nb\r\n',
    edits: [{ old: 'a\nb', new: 'x\ny' }],
    expected: 'x\r\ny\r\n',
    note: /blanks/,
  },
  {
    name: 'a missing end of the last line',
    text: 'a\nb',
    edits: [{ old: 'a\nb\n', new: 'a\nc\n' }],
    expected: 'a\nc',
    note: /blanks/,
  },
  {
    name: 'two similar places with blanks',
    text: 'a \nb\na\t\nb\n',
    edits: [{ old: 'a\nb', new: 'x' }],
    expected: /2 times, at lines 1, 3/,
  },
  {
    name: 'an exact place goes before a similar one',
    text: 'a \nb\na\nb\n',
    edits: [{ old: 'a\nb', new: 'x' }],
    expected: 'a \nb\nx\n',
  },
  {
    name: 'a part of a line is not similar',
    text: 'call(one,  two)\n',
    edits: [{ old: 'one, two', new: 'x' }],
    expected: /nearest lines/,
  },

  // Indentation
  {
    name: 'less indented than the file',
    text: shapes,
    edits: [
      {
        old: 'if factor <= 0:\n    raise ValueError("factor must be positive")',
        new: 'if factor < 0:\n    raise ValueError("negative")',
      },
    ],
    expected: shapes.replace('<= 0', '< 0').replace('factor must be positive', 'negative'),
    note: /indentation differs; that of the file was used: line 12/,
  },
  {
    name: 'more indented than the file',
    text: 'a:\n  b\n  c\n',
    edits: [{ old: '      b\n      c', new: '      d\n        e' }],
    expected: 'a:\n  d\n    e\n',
    note: /indentation/,
  },
  {
    name: 'spaces for tabs',
    text: tree,
    edits: [
      {
        old: '    if n == nil {\n        return &Node{value: value}\n    }',
        new: '    if n == nil {\n        n = &Node{}\n        return n\n    }',
      },
    ],
    expected: tree.replace('\t\treturn &Node{value: value}', '\t\tn = &Node{}\n\t\treturn n'),
    note: /indentation/,
  },
  {
    name: 'tabs for spaces',
    text: app,
    edits: [
      { old: "\tif (port === 0) {\n\t\tlog('choosing a port')", new: "\tif (!port) {\n\t\tlog('choosing')" },
    ],
    expected: app.replace('port === 0', '!port').replace('choosing a port', 'choosing'),
    note: /indentation/,
  },
  {
    name: 'four spaces for two',
    text: 'a {\n  b {\n    c\n  }\n}\n',
    edits: [
      { old: '    b {\n        c\n    }', new: '    b {\n        d {\n            e\n        }\n    }' },
    ],
    expected: 'a {\n  b {\n    d {\n      e\n    }\n  }\n}\n',
    note: /indentation/,
  },
  {
    name: 'indentation that differs from line to line',
    text: 'a\n  b\n   c\n',
    edits: [{ old: 'a\nb\nc', new: 'x' }],
    expected: /not in the file/,
  },
  {
    name: 'blank lines in an indented block stay empty',
    text: '  a\n\n  b\n',
    edits: [{ old: 'a\n\nb', new: 'a\n\nc' }],
    expected: '  a\n\n  c\n',
    note: /indentation/,
  },
  {
    name: 'a single line',
    text: '\t\tcall(one)\n',
    edits: [{ old: '  call(one)', new: '  call(two)' }],
    expected: /nearest|\t/,
    note: /indentation/,
  },
  {
    name: 'two similar indented places',
    text: '  a()\n    a()\n',
    edits: [{ old: '      a()\n', new: 'x' }],
    expected: /2 times, at lines 1, 2/,
  },
  {
    name: 'an indented block in a CRLF file',
    text: crlf('f:\n    a\n    b\n'),
    edits: [{ old: 'a\nb', new: 'a\nc' }],
    expected: crlf('f:\n    a\n    c\n'),
    note: /indentation/,
  },
  {
    name: 'blanks alone are not similar',
    text: 'a\n\t\nb\n',
    edits: [{ old: '  \n', new: '' }],
    expected: /not in the file/,
  },
]
