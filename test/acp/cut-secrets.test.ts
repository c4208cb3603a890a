import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSessionLab } from '../support/acp-sessions.ts'
import type { ModelRequest, Reply } from '../support/loopback-model/index.ts'

const secret = 'hunter2-canary-that-is-cut-in-two'

/** A text whose first bytes end within the secret. */
function cutAt(bytes: number): string {
  return `${'All is well.\n'.repeat(bytes / 13).slice(0, bytes - 21)} ${secret} and more`
}

test('where a file of the project is cut, no beginning of a secret is left for the model', async () => {
  const readSkill = ({ messages }: ModelRequest): Reply =>
    messages.some(({ parts }) => parts.some(({ type }) => type === 'tool_result'))
      ? { text: 'done' }
      : { toolCalls: [{ name: 'read_skill', args: { name: 'deploy' } }] }
  await using lab = await openSessionLab(readSkill)
  const skill = join(lab.path, '.agents/skills/deploy')
  await mkdir(skill, { recursive: true })
  await writeFile(join(lab.path, 'AGENTS.md'), cutAt(32 * 1024))
  await writeFile(join(skill, 'SKILL.md'), `---\ndescription: Deploys\n---\n`.padEnd(32, '\n') + cutAt(64 * 1024 - 32))
  await using editor = await lab.open({ agent: { env: { ...lab.model.env, DEPLOY_TOKEN: secret }, mode: 'auto' } })
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  await editor.prompt(sessionId, 'deploy')
  await editor.prompt(sessionId, '/deploy now')
  const told = JSON.stringify(lab.model.requests)
  expect(told).toContain('All is well.')
  expect(told).toContain('The rest of AGENTS.md is too long to show')
  expect(told).toContain('The rest of the file is too long to show')
  expect(told.match(/hunter2.{0,20}/)).toBeNull()
})
