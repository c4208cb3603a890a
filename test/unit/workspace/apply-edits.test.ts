import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { applyEdits } from '../../../packages/agent-api/src/workspace/files/apply-edits.ts'
import { generatedCases } from './edit-corpus/generated.ts'
import { handWrittenCases } from './edit-corpus/hand-written.ts'

const cases = [...handWrittenCases, ...generatedCases]

describe('the corpus of edits', () => {
  it('has at least 200 cases', () => {
    expect(cases.length).toBeGreaterThan(200)
  })

  it.each(cases.map((each) => [each.name, each] as const))('%s', (_, { text, edits, expected, note }) => {
    const result = applyEdits(
      text,
      edits.map((edit) => ({ oldText: edit.old, newText: edit.new, replaceAll: edit.all ?? false })),
    )
    if (typeof expected === 'string') {
      expect(result).toMatchObject({ type: 'edited', text: expected })
      const notes = result.type === 'edited' ? result.notes.join('\n') : ''
      if (note === undefined) expect(notes).toBe('')
      else expect(notes).toMatch(note)
    } else expect(result.type === 'problem' ? result.problem : result).toMatch(expected)
  })
})

/** A text as numbered lines, which are all different, and some of them to change. */
const numberedText = fc
  .array(fc.string({ unit: 'grapheme', maxLength: 20 }), { minLength: 1, maxLength: 40 })
  .map((lines) => lines.map((line, index) => `${index}:${line.replaceAll(/[\r\n]/g, ' ')}`))

it('edits are applied as if each line were replaced by itself, and everything else stays as it is', () => {
  fc.assert(
    fc.property(numberedText, fc.infiniteStream(fc.boolean()), fc.boolean(), fc.string(), (lines, choices, hasCrlf, added) => {
      const end = hasCrlf ? '\r\n' : '\n'
      const word = added.replaceAll(/[\r\n]/g, '')
      const text = lines.join(end) + end
      const chosen = lines.map(() => choices.next().value === true)
      const edits = lines.flatMap((line, index) =>
        chosen[index] === true ? [{ oldText: `\n${line}\n`.slice(1), newText: `<${word}>\n`, replaceAll: false }] : [],
      )
      const isUnique = lines.every((line, index) => lines.every((other, at) => at === index || !`${other}\n`.endsWith(`${line}\n`)))
      fc.pre(edits.length > 0 && isUnique)
      const result = applyEdits(text, edits)
      expect(result).toMatchObject({
        type: 'edited',
        text: lines.map((line, index) => (chosen[index] === true ? `<${word}>` : line) + end).join(''),
      })
      if (result.type !== 'edited') return
      // Each change gives its own part of both texts; between two changes, the texts are the same.
      let [oldEnd, newEnd] = [0, 0]
      for (const change of result.changes) {
        expect(text.slice(oldEnd, change.oldStart)).toBe(result.text.slice(newEnd, change.newStart))
        oldEnd = change.oldEnd
        newEnd = change.newEnd
      }
      expect(text.slice(oldEnd)).toBe(result.text.slice(newEnd))
    }),
    { numRuns: 300 },
  )
})

it('a text that is not found or not unique is never changed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', ' ', '\t') }),
      fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' ') }),
      (text, old) => {
        const result = applyEdits(text, [{ oldText: old, newText: 'NEW', replaceAll: false }])
        if (result.type === 'problem') return
        const [change] = result.changes
        expect(result.changes).toHaveLength(1)
        // What was replaced is the wanted text, apart from blanks and line ends.
        expect(text.slice(change?.oldStart, change?.oldEnd).replaceAll(/\s/g, '')).toBe(old.replaceAll(/\s/g, ''))
        // Everything before the change stays as it is, and so does everything after it.
        expect(result.text.slice(0, change?.newStart)).toBe(text.slice(0, change?.oldStart))
        expect(result.text.slice(change?.newEnd)).toBe(text.slice(change?.oldEnd))
      },
    ),
    { numRuns: 500 },
  )
})
