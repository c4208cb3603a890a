import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAgentLab, openSession } from '../support/agent-lab.ts'

test('a person starts a server right after it has failed', async () => {
  await using lab = await openAgentLab()
  await lab.offer('work', ['do'])
  await lab.writeAgentFile({})
  const program = join(lab.path, 'program')
  const { command, args } = lab.command('work')
  await using editor = await lab.open({ timing: { attemptAgainMs: 600_000 } })
  const sessionId = await openSession(editor, lab, [{ name: 'work', command: program, args: [], env: [] }])
  await editor.prompt(sessionId, 'hello')
  expect(editor.text(sessionId)).toContain('command not found')
  await writeFile(program, `#!/bin/sh\nexec ${[command, ...args].join(' ')}\n`, { mode: 0o755 })
  await editor.prompt(sessionId, '/mcp wake work')
  expect(editor.text(sessionId)).toContain('- **work**: connected, 1 tool')
})
