import { expect, test } from 'vitest'
import { askForm, parseField } from '../../../../packages/cli/src/client/ask-form.ts'
import type { Person } from '../../../../packages/cli/src/client/person.ts'
import { plain } from '../../../../packages/cli/src/terminal/style.ts'

const options = [
  { value: 'r', label: 'red' },
  { value: 'g', label: 'green' },
]

test.each([
  [{ type: 'string' }, 'some words', 'some words'],
  [{ type: 'string', enum: ['r', 'g'] }, '2', 'g'],
  [{ type: 'string', enum: ['r', 'g'] }, 'red', 'r'],
  [{ type: 'string', enum: ['r', 'g'] }, 'blue', undefined],
  [{ type: 'boolean' }, 'Yes', true],
  [{ type: 'boolean' }, 'perhaps', undefined],
  [{ type: 'integer' }, '7', 7],
  [{ type: 'integer' }, '7.5', undefined],
  [{ type: 'number' }, '7.5', 7.5],
  [{ type: 'number' }, 'Infinity', undefined],
  [{ type: 'array', items: { type: 'string', enum: ['r', 'g'] } }, '1, green', ['r', 'g']],
  [{ type: 'array', items: { type: 'string', enum: ['r', 'g'] } }, '1,5', undefined],
] as const)('%j answered with %j is %j', (field, line, value) => {
  const mutable = structuredClone(field) as Parameters<typeof parseField>[0]
  expect(parseField(mutable, line, 'enum' in field || field.type === 'array' ? options : [])).toEqual(value)
})

/** Answers questions from a list, and stops answering after it. */
function personSaying(...answers: readonly string[]): Person & { readonly shown: string[] } {
  const left = [...answers]
  const shown: string[] = []
  return {
    shown,
    style: plain,
    columns: () => 80,
    show: (rows) => void shown.push(...rows),
    async choose(question, choices) {
      shown.push(question)
      const key = left.shift()
      return choices.find((choice) => choice.key === key)?.id
    },
    async ask(question) {
      shown.push(question)
      return left.shift()
    },
  }
}

const form = {
  mode: 'form' as const,
  sessionId: 's',
  message: 'Which one?\u001b[2J',
  requestedSchema: {
    type: 'object' as const,
    properties: {
      name: { type: 'string' as const, title: 'Name' },
      count: { type: 'integer' as const, default: 3 },
      fast: { type: 'boolean' as const },
    },
    required: ['name'],
  },
}

test.each([
  [['y', 'Ada', '', ''], { action: 'accept', content: { name: 'Ada', count: 3 } }],
  [['y', '', 'Ada', 'x', '4', 'y'], { action: 'accept', content: { name: 'Ada', count: 4, fast: true } }],
  [['n'], { action: 'decline' }],
  [[], { action: 'cancel' }],
  [['y', 'Ada'], { action: 'cancel' }],
  [['y', '', '', ''], { action: 'cancel' }],
])('a form answered with %j', async (answers, response) => {
  const person = personSaying(...answers)
  expect(await askForm(person, form, () => undefined, new AbortController().signal)).toEqual(response)
  expect(person.shown.join('\n')).not.toContain('\u001b')
})

test.each([
  ['https://example.com/login', ['y'], { action: 'accept' }, ['https://example.com/login']],
  ['https://example.com/login', ['n'], { action: 'decline' }, []],
  ['file:///etc/passwd', ['y'], { action: 'cancel' }, []],
])('the page %s answered with %j', async (url, answers, response, opened) => {
  const pages: string[] = []
  const request = { mode: 'url' as const, sessionId: 's', message: 'Log in', url, elicitationId: 'e' }
  expect(
    await askForm(
      personSaying(...answers),
      request,
      (page) => pages.push(page),
      new AbortController().signal,
    ),
  ).toEqual(response)
  expect(pages).toEqual(opened)
})
