import { describe, expect, it } from 'vitest'
import { didYouMean } from '../../../packages/agent-api/src/base/did-you-mean.ts'
import { expandVariables } from '../../../packages/agent-api/src/config/expand-variables.ts'

const env = { HOME: '/home/me', EMPTY: '', TOKEN: 'a$b${HOME}' }

describe('expandVariables', () => {
  it.each([
    ['no variable at all', 'no variable at all'],
    ['${HOME}/bin', '/home/me/bin'],
    ['${HOME}${HOME}', '/home/me/home/me'],
    ['${NOT_SET:-default}', 'default'],
    ['${NOT_SET:-}', ''],
    ['${NOT_SET:-http://x/{id}}', 'http://x/{id}'],
    ['${EMPTY}', ''],
    ['${EMPTY:-default}', 'default'],
    ['${HOME:-default}', '/home/me'],
    ['$HOME stays', '$HOME stays'],
    ['a price of $$5, $${HOME}', 'a price of $5, ${HOME}'],
    // A reference within a value is not expanded.
    ['${TOKEN}', 'a$b${HOME}'],
  ])('%s', (text, expanded) => {
    expect(expandVariables(text, env)).toEqual({ text: expanded, unset: [] })
  })

  it('names unset variables', () => {
    expect(expandVariables('${ONE}-${TWO}-${ONE:-x}', env).unset).toEqual(['ONE', 'TWO'])
  })
})

describe('didYouMean', () => {
  const names = ['mcpServers', 'model', 'maxSteps', 'systemPrompt', 'toolbox']
  it.each([
    ['mcpServer', 'mcpServers'],
    ['mcpservers', 'mcpServers'],
    ['modle', 'model'],
    ['max_steps', 'maxSteps'],
    ['tollbox', 'toolbox'],
    ['colour', undefined],
    ['x', undefined],
  ])('%s', (word, meant) => {
    expect(didYouMean(word, names)).toBe(meant)
  })
})
