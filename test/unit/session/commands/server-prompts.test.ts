import { describe, expect, it } from 'vitest'
import { toPromptArguments } from '../../../../packages/agent-api/src/session/commands/server-prompts.ts'

const prompt = (...names: string[]) => ({
  name: 'p',
  arguments: names.map((name) => ({ name, required: true })),
})

describe('toPromptArguments', () => {
  it.each([
    ['nothing', ['city'], '', {}],
    ['one argument takes the whole line', ['text'], 'all of these words', { text: 'all of these words' }],
    [
      'arguments in order, the last takes the rest',
      ['city', 'note'],
      'Paris very nice there',
      { city: 'Paris', note: 'very nice there' },
    ],
    ['quotes', ['city', 'note'], '"New York" big', { city: 'New York', note: 'big' }],
    ['names', ['city', 'note'], 'note=fine city=Paris', { city: 'Paris', note: 'fine' }],
    ['a name, and the rest in order', ['city', 'note'], 'note="so so" Rome', { note: 'so so', city: 'Rome' }],
    ['an equals sign that is no name', ['formula'], 'a=b', { formula: 'a=b' }],
  ])('%s', (_, names, input, args) => {
    expect(toPromptArguments(prompt(...names), input)).toEqual(args)
  })
})
