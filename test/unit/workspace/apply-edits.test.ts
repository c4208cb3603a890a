import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { applyEdits } from '../../../packages/agent-api/src/workspace/files/apply-edits.ts'
import { generatedCases } from './edit-corpus/generated.ts'
import { handWrittenCases } from './edit-corpus/hand-written.ts'

const clean = (text: string) => text
const cases = [...handWrittenCases, ...generatedCases]

describe('the corpus of edits', () => {
  it('has at least 200 cases', () => {
    expect(cases.length).toBeGreaterThan(200)
  })

  it.each(cases.map((each) => [each.name, each] as const))(
    '%s',
    async (_, { text, edits, expected, note }) => {
      const result = await applyEdits(
        text,
        edits.map((edit) => ({ oldText: edit.old, newText: edit.new, replaceAll: edit.all ?? false })),
        { clean },
      )
      if (typeof expected === 'string') {
        expect(result).toMatchObject({ type: 'edited', text: expected })
        const notes = result.type === 'edited' ? result.notes.join('\n') : ''
        if (note === undefined) expect(notes).toBe('')
        else expect(notes).toMatch(note)
      } else expect(result.type === 'problem' ? result.problem : result).toMatch(expected)
    },
  )
})

/** A text as numbered lines, which are all different, and some of them to change. */
const numberedText = fc
  .array(fc.string({ unit: 'grapheme', maxLength: 20 }), { minLength: 1, maxLength: 40 })
  .map((lines) => lines.map((line, index) => `${index}:${line.replaceAll(/[\r\n]/g, ' ')}`))

it('edits are applied as if each line were replaced by itself, and everything else stays as it is', async () => {
  await fc.assert(
    fc.asyncProperty(
      numberedText,
      fc.infiniteStream(fc.boolean()),
      fc.boolean(),
      fc.string(),
      async (lines, choices, hasCrlf, added) => {
        const end = hasCrlf ? '\r\n' : '\n'
        const word = added.replaceAll(/[\r\n]/g, '')
        const text = lines.join(end) + end
        const chosen = lines.map(() => choices.next().value === true)
        const edits = lines.flatMap((line, index) =>
          chosen[index] === true
            ? [{ oldText: `\n${line}\n`.slice(1), newText: `<${word}>\n`, replaceAll: false }]
            : [],
        )
        const isUnique = lines.every((line, index) =>
          lines.every((other, at) => at === index || !`${other}\n`.endsWith(`${line}\n`)),
        )
        fc.pre(edits.length > 0 && isUnique)
        const result = await applyEdits(text, edits, { clean })
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
      },
    ),
    { numRuns: 100 },
  )
})

it('a text that is not found or not unique is never changed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', ' ', '\t') }),
      fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' ') }),
      async (text, old) => {
        const result = await applyEdits(text, [{ oldText: old, newText: 'NEW', replaceAll: false }], {
          clean,
        })
        if (result.type === 'problem') return
        const [change] = result.changes
        expect(result.changes).toHaveLength(1)
        // The replaced text is the wanted one, apart from blanks and line ends.
        expect(text.slice(change?.oldStart, change?.oldEnd).replaceAll(/\s/g, '')).toBe(
          old.replaceAll(/\s/g, ''),
        )
        // Everything before the change stays as it is, and so does everything after it.
        expect(result.text.slice(0, change?.newStart)).toBe(text.slice(0, change?.oldStart))
        expect(result.text.slice(change?.newEnd)).toBe(text.slice(change?.oldEnd))
      },
    ),
    { numRuns: 150 },
  )
})

describe('a text that repeats itself', () => {
  const repeated = (line: string, count: number) => Array.from({ length: count }, () => line).join('\n')
  const replaceAll = true

  it('is not compared repeatedly with as many similar lines', async () => {
    const edits = [{ oldText: repeated('}', 50_000), newText: 'x', replaceAll }]
    await expect(applyEdits(repeated('  }', 60_000), edits, { clean })).rejects.toThrow(
      'too many lines are alike',
    )
  })

  it('is changed at 60,000 places of one line', async () => {
    const result = await applyEdits(
      'let a=1;'.repeat(60_000),
      [{ oldText: 'let', newText: 'var', replaceAll }],
      { clean },
    )
    expect(result).toMatchObject({ type: 'edited', text: 'var a=1;'.repeat(60_000) })
  })

  it('is not changed at more than 100,000 places', async () => {
    const result = await applyEdits('a'.repeat(1_000_000), [{ oldText: 'a', newText: 'b', replaceAll }], {
      clean,
    })
    expect(result).toMatchObject({
      type: 'problem',
      problem: expect.stringContaining('at most 100,000 places'),
    })
  })

  it('grows by at most 2 MiB', async () => {
    const grown = (places: number) =>
      applyEdits('a\n'.repeat(places), [{ oldText: 'a', newText: 'b'.repeat(1024 * 1024), replaceAll }], {
        clean,
      })
    expect(await grown(2)).toMatchObject({ type: 'edited' })
    expect(await grown(3)).toMatchObject({
      type: 'problem',
      problem: expect.stringContaining('grows by at most 2,097,152 characters'),
    })
  })

  it('is searched while other work runs', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `  const value${index} = 1`)
    const edits = lines
      .slice(0, 100)
      .map((line) => ({ oldText: `${line.trim()} \n${line.trim()}`, newText: 'x', replaceAll }))
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const same = lines.flatMap((line) => [line, line]).join('\n')
    expect(await applyEdits(same, edits, { clean })).toMatchObject({ type: 'edited' })
    isOver = true
    expect(turns).toBeGreaterThan(3)
  })

  it('is not searched further after a cancellation', async () => {
    const edits = [{ oldText: 'a', newText: 'b', replaceAll }]
    await expect(
      applyEdits('a', edits, { clean, signal: AbortSignal.abort(new Error('cancelled')) }),
    ).rejects.toThrow('cancelled')
  })
})
