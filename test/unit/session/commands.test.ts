import { expect, test } from 'vitest'
import { warnOfHiddenCommands } from '../../../packages/agent-api/src/session/commands.ts'

test('a command with the name of a built-in one causes a warning', () => {
  expect(warnOfHiddenCommands(['review', 'help'])).toEqual([
    expect.stringContaining("commands: 'help' is never used"),
  ])
  expect(warnOfHiddenCommands(['review'])).toEqual([])
})
