import { expect, test } from 'vitest'
import {
  toCodeBlock,
  toOutputText,
} from '../../../../packages/agent-api/src/workspace/commands/to-output-text.ts'

test.each([
  ['a\nb\n', 'a\nb\n'],
  ['a\r\nb\r\n', 'a\nb\n'],
  ['10%\r20%\r100%\ndone', '100%\ndone'],
  ['10%\r100%\r', '100%'],
  ['10%\r100%\r\r\nx', '100%\nx'],
  ['\0\0\0\0abc', '[binary output is not shown]'],
  ['\ufffd\ufffdabc', '[binary output is not shown]'],
  [`\0${'text '.repeat(20)}`, `\0${'text '.repeat(20)}`],
  ['', ''],
])('%j is shown as %j', (printed, shown) => expect(toOutputText(printed)).toBe(shown))

test.each([
  ['a', '```\na\n```'],
  ['a\n', '```\na\n```'],
  ['```\na\n```\n', '````\n```\na\n```\n````'],
  ['````````', '`````````\n````````\n`````````'],
])('%j in a code block', (text, block) => expect(toCodeBlock(text)).toBe(block))
