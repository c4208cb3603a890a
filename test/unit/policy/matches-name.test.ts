import { expect, test } from 'vitest'
import { matchesName } from '../../../packages/agent-api/src/policy/matches-name.ts'

test.each([
  ['get_customer', 'get_customer', true],
  ['get_customer', 'get_customers', false],
  ['*', 'anything', true],
  ['*', '', true],
  ['delete_*', 'delete_customer', true],
  ['delete_*', 'undelete_customer', false],
  ['*_customer', 'get_customer', true],
  ['*_customer', 'get_customers', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['a*b*c', 'abc', true],
  ['a*bc*c', 'abc', false],
  ['ab*ba', 'aba', false],
  ['a**c', 'ac', true],
  ['get.customer', 'get_customer', false],
])('%s, %s: %s', (pattern, name, matches) => {
  expect(matchesName(pattern, name)).toBe(matches)
})
