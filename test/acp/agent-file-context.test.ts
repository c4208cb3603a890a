import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAcpProcess } from '../support/acp-harness.ts'
import { openSessionLab } from '../support/acp-sessions.ts'
import { isSummaryRequest, textIn, withWindow } from '../support/loopback-model/window.ts'

test('an agent file sets the window, the prices, when room is made, the commands, and what is read from a project', async () => {
  await using lab = await openSessionLab(
    withWindow({ size: 1_000_000, vendor: 'anthropic' }, () => ({ text: 'ok' })),
  )
  const file = join(lab.path, 'ostler.yaml')
  await writeFile(
    file,
    `model: work/claude-x
providers:
  work:
    type: anthropic
    baseUrl: ${lab.model.url}
    apiKey: k
    contextSize: 20000
    prices: { currency: USD, input: 1, output: 5 }
context: { compactAt: 50, projectInstructions: false, skills: false }
commands:
  review: { description: Review a file, hint: '[file]', prompt: 'Review $ARGUMENTS now.' }
`,
  )
  const project = join(lab.path, 'project')
  await mkdir(join(project, '.agents/skills/deploy'), { recursive: true })
  await writeFile(
    join(project, '.agents/skills/deploy/SKILL.md'),
    '---\nname: deploy\ndescription: d\n---\nx',
  )
  await writeFile(join(project, 'AGENTS.md'), 'Use tabs.')
  await using editor = await openAcpProcess({ args: ['--agent', file], env: {} })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: project })
  const { availableCommands } = await editor.waitForUpdate(
    sessionId,
    'available_commands_update',
    ({ availableCommands: all }) => all.some(({ name }) => name === 'review'),
  )
  expect(availableCommands.find(({ name }) => name === 'review')).toEqual({
    name: 'review',
    description: 'Review a file',
    input: { hint: '[file]' },
  })
  expect(availableCommands.map(({ name }) => name)).not.toContain('deploy')
  await editor.prompt(sessionId, '/review app.ts')
  const [first] = lab.model.requests
  expect(textIn(first?.messages[0])).toBe('Review app.ts now.')
  expect(first?.system).not.toContain('Use tabs')
  const usage = editor.updates(sessionId).findLast((update) => update.sessionUpdate === 'usage_update')
  expect(usage).toMatchObject({ size: 20_000, cost: { currency: 'USD' } })
  for (let turn = 0; turn < 3; turn++) await editor.prompt(sessionId, 'lorem ipsum '.repeat(1_000))
  // At half of the small window, although the vendor would take much more.
  expect(lab.model.requests.filter(isSummaryRequest).length).toBeGreaterThan(0)
})
