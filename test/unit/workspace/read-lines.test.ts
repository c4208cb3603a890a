import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineReader } from '../../../packages/agent-api/src/workspace/files/read-lines.ts'

test('the lines of a range are read, and all are counted, whatever the pieces', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n'), maxLength: 10 })
  const place = fc.integer({ min: 1, max: 8 })
  fc.assert(
    fc.property(fc.array(piece), place, place, (pieces, from, limit) => {
      const reader = createLineReader(from, limit, (text) => text)
      for (const each of pieces) reader.push(each)
      reader.end()
      const all = pieces.join('').split(/\r?\n/)
      if (all.at(-1) === '') all.pop()
      const lines = all.slice(from - 1, from - 1 + limit)
      const hasMore = lines.length > 0 && from - 1 + limit < all.length
      expect(reader.read()).toEqual({ lines, total: all.length, hasMore })
    }),
  )
})
