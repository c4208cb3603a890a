import { describe, expect, it } from 'vitest'
import {
  definitionCharsMax,
  definitionDiff,
  definitionText,
} from '../../../../packages/agent-api/src/policy/always-allow/definition-text.ts'

const schema = { type: 'object', properties: { path: { type: 'string' } } }
const base = { description: 'Writes a file. Creates its folder.', inputSchema: schema }

describe('definitionText', () => {
  it('has a line for each sentence and each value, whatever the order of keys', () => {
    const text = definitionText({ ...base, title: 'Write', annotations: { readOnlyHint: false } })
    expect(text).toBe(`Title:
  Write
Description:
  Writes a file.
  Creates its folder.
Parameters:
  {
    "properties": {
      "path": {
        "type": "string"
      }
    },
    "type": "object"
  }
Annotations:
  {
    "readOnlyHint": false
  }
`)
    expect(
      definitionText({ ...base, inputSchema: { properties: { path: { type: 'string' } }, type: 'object' } }),
    ).toBe(definitionText(base))
  })

  it('has a limit', () => {
    const text = definitionText({ ...base, description: 'x'.repeat(2 * definitionCharsMax) })
    expect(text.length).toBeLessThan(definitionCharsMax + 100)
    expect(text).toContain('too long')
  })
})

describe('definitionDiff', () => {
  it.each([
    ['nothing', {}, []],
    [
      'one sentence',
      { description: 'Writes a file. Sends it away.' },
      ['-  Creates its folder.', '+  Sends it away.'],
    ],
    [
      'a parameter',
      { inputSchema: { ...schema, required: ['path'] } },
      ['+    "required": [', '+      "path"', '+    ],'],
    ],
    [
      'a claim',
      { annotations: { readOnlyHint: true } },
      ['+Annotations:', '+  {', '+    "readOnlyHint": true', '+  }'],
    ],
  ])('shows %s', (_, change, lines) => {
    const diff = definitionDiff(definitionText(base), definitionText({ ...base, ...change }))
    expect(diff.split('\n').filter((line) => /^[+-]/.test(line))).toEqual(lines)
  })

  it('has a limit, and says what it leaves out', () => {
    const diff = definitionDiff(
      definitionText(base),
      definitionText({ ...base, description: 'a b. '.repeat(3_000) }),
    )
    expect(diff.length).toBeLessThan(9_000)
    expect(diff).toMatch(/… \d+ more characters changed$/)
  })
})
