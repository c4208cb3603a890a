import { expect, test } from 'vitest'
import { toCsvLine } from '../../../packages/console/src/server/export-calls.ts'

test.each<[cells: readonly (string | number | null)[], line: string]>([
  [['a', 1, null, 2.5], 'a,1,,2.5'],
  [['a,b', 'say "x"', 'two\nlines', 'cr\rhere'], '"a,b","say ""x""","two\nlines","cr\rhere"'],
  [['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'], `'=1+1,'+1,'-1,'@SUM(A1),'\t=1,"'\r=1"`],
  [['=HYPERLINK("http://x","y")'], `"'=HYPERLINK(""http://x"",""y"")"`],
  [[-5, ''], '-5,'],
  [["it's", 'a=b', ' =1'], "it's,a=b, =1"],
])('%j', (cells, line) => {
  expect(toCsvLine(cells)).toBe(`${line}\r\n`)
})
