import { expect, test } from 'vitest'
import { seen } from '../support/browser.ts'
import { callOnce, openConsoleLab, openSession } from '../support/console-lab.ts'

test('a session is shown as in the editor, while it is open and afterwards', async () => {
  await using lab = await openConsoleLab({ file: 'approval: { mode: auto }\n', script: callOnce('work__alpha', { word: 'hello' }) })
  await lab.offer('work', ['alpha'])
  await lab.go('/sessions')
  await lab.sees('No sessions yet')
  await using editor = await lab.edit()
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
  await turn.getByRole('link', { name: 'Show in Calls' }).click()
  await lab.get('region', 'One call').getByText('work / alpha').waitFor()
  await lab.page.goBack()
  await lab.get('link', '1 call').click()
  await lab.get('button', /success work \/ alpha/).waitFor()
  expect(lab.page.url()).toContain(`session=${sessionId}`)

  await lab.go(`/sessions/${sessionId}`)
  await editor.prompt(sessionId, 'And again')
  await lab.press('Refresh')
  await lab.get('region', 'Turn 2').getByText('And again').waitFor()
})

test('a session is deleted after a question, but not while it is open', async () => {
  await using lab = await openConsoleLab({ file: 'approval: { mode: auto }\n', script: callOnce('work__alpha') })
  await lab.offer('work', ['alpha'])
  await using editor = await lab.edit()
  const work = { name: 'work', ...lab.command('work'), env: [] }
  const sessionId = await openSession(editor, lab, [work])
  await editor.prompt(sessionId, 'Keep this')
  const { sessionId: other } = await editor.newSession({ cwd: lab.path, mcpServers: [work] })
  await editor.prompt(other, 'Throw this away')

  await lab.go('/sessions')
  const sessions = lab.get('list', 'Sessions').getByRole('listitem')
  await seen(() => sessions.count()).toBe(2)
  await lab.press('Delete Throw this away')
  await lab.inDialog('button', 'Delete').click()
  await lab
    .inDialog('alert')
    .getByText(/is open in an editor/)
    .waitFor()
  await editor.request('session/close', { sessionId: other })
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
