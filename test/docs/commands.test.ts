import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { commandsPage, commandsPath } from '../scripts/commands-page.ts'

test('docs/commands.md is what `pnpm exec tsx test/scripts/write-commands.ts` writes', async () => {
  expect(await readFile(commandsPath, 'utf8')).toBe(await commandsPage())
})

test('it contains the help of every command, word for word', async () => {
  const page = await readFile(commandsPath, 'utf8')
  const named = [...page.matchAll(/^#{2,3} `ostler (.+)`$/gm)].map(([, name = '']) => name)
  expect(named).toEqual(
    expect.arrayContaining(['acp', 'mcp add', 'history show', 'sessions export', 'completion']),
  )
  for (const name of named) {
    const { code, stdout } = await runCli(['help', ...name.split(' ')])
    expect({ name, code }).toEqual({ name, code: 0 })
    expect(page).toContain(`\`\`\`\n${stdout}\`\`\``)
  }
})
