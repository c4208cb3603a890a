import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anchorsOf } from '../../../../packages/agent-api/src/workspace/files/find-lines.ts'

const anyLine = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t'), maxLength: 8 })

test('the anchors are the longest lines without their blanks, and of equal ones the first', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 40 }), fc.integer({ min: 1, max: 10 }), (lines, max) => {
      const sorted = lines
        .map((line, index) => ({ index, content: line.trim() }))
        .filter(({ content }) => content !== '')
        .toSorted((one, other) => other.content.length - one.content.length)
      expect(anchorsOf(lines, max)).toEqual(sorted.slice(0, max))
    }),
  )
})
