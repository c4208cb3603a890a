import { expect, test } from 'vitest'
import type { RequestPermissionRequest } from '@agentclientprotocol/sdk'
import type { ModelRequest, Reply } from '../../support/loopback-model/index.ts'
import { isSummaryRequest, textIn } from '../../support/loopback-model/window.ts'
import { seen } from '../support/browser.ts'
import { callOnce, openConsoleLab, openSession } from '../support/console-lab.ts'

test('a session is shown as in the editor, while it is open and afterwards', async () => {
  await using lab = await openConsoleLab({
    file: 'approval: { mode: auto }\n',
    script: callOnce('work__alpha', { word: 'hello' }),
  })
  await lab.offer('work', ['alpha'])
  await lab.offer('rare', ['omega'])
  const rare = { type: 'stdio', include: 'manual', ...lab.command('rare') }
  await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'rare', entry: rare })
  await lab.go('/sessions')
  await lab.sees('No sessions yet')
  await using editor = lab.edit()
  const work = { name: 'work', ...lab.command('work'), env: [] }
  const sessionId = await openSession(editor, lab, [work])
  await editor.prompt(sessionId, 'Do the alpha')
  // It appears without a reload.
  await lab.get('link', 'Do the alpha').click()
  await lab.get('heading', 'Do the alpha').waitFor()
  const turn = lab.get('region', 'Turn 1')
  await turn.getByRole('group', { name: 'Prompt' }).getByText('Do the alpha').waitFor()
  await turn.getByRole('group', { name: 'Answer' }).getByText('The tool said: alpha is done').waitFor()
  await turn.getByRole('group').filter({ hasText: 'work__alpha' }).locator('summary').first().click()
  await turn.getByText('"hello"').waitFor()
  await turn.getByText('alpha is done', { exact: true }).waitFor()
  await turn.locator('summary', { hasText: /tools? offered to the model, 1 left out/ }).click()
  await turn.getByText('work__alpha', { exact: true }).last().waitFor()
  await turn.getByText('Not offered: 1 tool that you add with /tools add.').waitFor()
  await turn.getByText('rare:omega', { exact: true }).waitFor()
  await turn.getByRole('link', { name: 'Show in Calls' }).click()
  await lab.get('region', 'One call').getByText('work / alpha').waitFor()
  await lab.page.goBack()
  await lab.get('link', '1 call').click()
  await lab.get('button', /Succeeded work \/ alpha/).waitFor()
  expect(lab.page.url()).toContain(`session=${sessionId}`)

  await lab.go(`/sessions/${sessionId}`)
  await editor.prompt(sessionId, 'And again')
  await lab.press('Refresh')
  await lab.get('region', 'Turn 2').getByText('And again').waitFor()
})

test('a session is deleted after a question, but not while it is open', async () => {
  await using lab = await openConsoleLab({
    file: 'approval: { mode: auto }\n',
    script: callOnce('work__alpha'),
  })
  await lab.offer('work', ['alpha'])
  await using editor = lab.edit()
  const work = { name: 'work', ...lab.command('work'), env: [] }
  const sessionId = await openSession(editor, lab, [work])
  await editor.prompt(sessionId, 'Keep this')
  const { sessionId: other } = await editor.newSession({ cwd: lab.path, mcpServers: [work] })
  await editor.prompt(other, 'Throw this away')

  await lab.go('/sessions')
  const sessions = lab.get('list', 'Sessions').getByRole('listitem')
  await seen(() => sessions.count()).toBe(2)
  await seen(() => sessions.filter({ hasText: 'Open now' }).count()).toBe(2)
  expect(await lab.get('button', /^Delete /).count()).toBe(0)
  expect((await lab.console.ask('DELETE', `/api/sessions/${other}`)).json.code).toBe('console.session_open')
  // The list follows without a reload.
  await editor.request('session/close', { sessionId: other })
  await lab.press('Delete Throw this away')
  expect(await sessions.filter({ hasText: 'Open now' }).getByRole('link').allTextContents()).toEqual([
    'Keep this',
  ])
  await lab.inDialog('button', 'Delete').click()
  await seen(() => sessions.count()).toBe(1)
  await lab.page.locator('h1:focus').waitFor()
  expect((await lab.console.ask('GET', `/api/calls?session=${other}`)).json.calls).toEqual([])
  expect((await lab.console.ask('GET', `/api/calls?session=${sessionId}`)).json.calls).toHaveLength(1)

  await lab.get('searchbox', 'Search sessions').fill('nothing like it')
  await lab.sees('No session matches “nothing like it”')
  await lab.get('searchbox', 'Search sessions').press('Escape')
  await lab.get('link', 'Keep this').waitFor()
  await lab.go(`/sessions/${other}`)
  await lab.get('alert').waitFor()
})

const chooseAlways = (params: RequestPermissionRequest) => {
  const optionId = params.options.find((option) => option.name.startsWith('Always allow'))?.optionId
  return { outcome: { outcome: 'selected', optionId } }
}

const file = `approval: { mode: always-ask }
providers:
  anthropic: { type: anthropic, contextSize: 20000, prices: { currency: EUR, input: 1, output: 5 } }
`

test('a session shows its last plan, the tools of each step, what each turn used and cost, and its compaction; a grant for a command is shown with the agent', async () => {
  const calls = [
    { name: 'update_plan', args: { entries: [{ content: 'Look around', status: 'in_progress' }] } },
    {
      name: 'update_plan',
      args: {
        entries: [
          { content: 'Look around', status: 'completed' },
          { content: 'Build it', status: 'pending' },
        ],
      },
    },
    { name: 'run_command', args: { command: 'echo built' } },
  ]
  const answer = async (request: ModelRequest): Promise<Reply> => {
    if (isSummaryRequest(request)) return { text: '## Goal\nTo build a stable' }
    const parts = request.messages.flatMap((message) => message.parts)
    if (textIn(request.messages.findLast(({ role }) => role === 'user')).includes('Grow')) {
      // The tool appears while the turn runs.
      if (request.tools.some(({ name }) => name === 'work__beta')) return { text: 'grown' }
      await lab.offer('work', ['alpha', 'beta'])
      return { toolCalls: [{ name: 'work__alpha', args: {} }] }
    }
    const next = calls[parts.filter(({ type }) => type === 'tool_result').length]
    return next === undefined ? { text: 'done' } : { toolCalls: [next] }
  }
  const usage = { inputTokens: 1_000, outputTokens: 200 }
  await using lab = await openConsoleLab({
    file,
    script: async (request) => ({ ...(await answer(request)), usage }),
  })
  await lab.offer('work', ['alpha'])
  await using editor = lab.edit({ onPermission: chooseAlways })
  const sessionId = await openSession(editor, lab, [{ name: 'work', ...lab.command('work'), env: [] }])
  await editor.prompt(sessionId, 'Build it')

  await lab.go(`/sessions/${sessionId}`)
  const plan = lab.get('region', 'Turn 1').getByRole('group', { name: 'Plan' })
  await plan.waitFor()
  expect(await plan.getByRole('listitem').allTextContents()).toEqual([
    'Look around (done)',
    'Build it (to do)',
  ])
  // Four requests.
  await lab.get('region', 'Turn 1').getByText('4,000 tokens in · 800 out · €0.008').waitFor()

  await editor.prompt(sessionId, 'Grow')
  const turn = lab.get('region', 'Turn 2')
  await turn.getByText(/tokens in · .* out · €.* \(€.* so far\)/).waitFor()
  await turn.locator('.turn-offers summary').click()
  await turn.getByRole('heading', { name: /^From step \d+ on$/ }).waitFor()
  expect(await turn.getByText('Also offered:').textContent()).toBe('Also offered: work__beta')

  await editor.prompt(sessionId, 'lorem ipsum '.repeat(1_500))
  await editor.prompt(sessionId, '/compact')
  const summary = lab.page.getByText(
    /^Summary that the model gets from here on: about [\d,]+ tokens instead of [\d,]+$/,
  )
  await summary.click()
  await lab.sees('To build a stable')

  await lab.go('/agent')
  await lab.get('button', 'run_command').click()
  await lab.page.locator('.grant code', { hasText: '"echo built" in' }).waitFor()
})
