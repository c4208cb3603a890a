import { expect, test } from 'vitest'
import { sumServer } from '../../support/acp-scripted.ts'
import { seen } from '../support/browser.ts'
import { card } from '../support/server-dialogs.ts'
import { offeredTools, openConsoleLab, openSession } from '../support/console-lab.ts'

test('a tool of an editor’s server is switched off and on in the console, for the folder of its session', async () => {
  await using lab = await openConsoleLab({ file: 'approval: { mode: auto }\nconnectWait: 60s\n' })
  await using editor = lab.edit()
  const sessionId = await openSession(editor, lab, [sumServer()])
  await editor.prompt(sessionId, 'hello')
  expect(offeredTools(lab)).toContain('sums__add')

  await lab.go('/servers')
  const server = lab.get('list', 'Servers in use now').getByRole('listitem').filter({ hasText: 'sums' })
  await server.getByText(/1 tool \(\d+ tokens\), 0 prompts/).waitFor()
  await server.getByText('Tools', { exact: true }).click()
  const tool = lab.get('list', 'Tools of sums').getByRole('switch', { name: 'add' })
  await tool.and(lab.page.locator(':checked')).waitFor()
  await lab
    .get('list', 'Tools of sums')
    .getByText(/^\d+ tokens$/)
    .waitFor()

  await tool.click()
  await lab.sees('Off in this folder from the next prompt on')
  await editor.prompt(sessionId, 'go on')
  expect(offeredTools(lab)).not.toContain('sums__add')
  expect(editor.text(sessionId)).toContain('Switched off in this folder: sums:add.')
  expect((await lab.console.ask('GET', '/api/calls')).json.calls[0]).toMatchObject({
    tool: 'console:switch-tool',
    status: 'success',
  })

  await tool.click()
  await tool.and(lab.page.locator(':checked')).waitFor()
  await editor.prompt(sessionId, 'and now')
  expect(offeredTools(lab)).toContain('sums__add')
})

test('a request for a session or server that is not open is refused', async () => {
  await using lab = await openConsoleLab({ file: '' })
  await using editor = lab.edit()
  const sessionId = await openSession(editor, lab, [sumServer()])
  const path = (id: string) => `/api/sessions/${id}/tools`
  const ask = async (id: string, server: string) =>
    (await lab.console.ask('POST', path(id), { server, tool: 'add', isOff: true })).status
  expect(await ask('nobody', 'sums')).toBe(404)
  expect(await ask(sessionId, 'other')).toBe(404)
  expect((await lab.console.ask('POST', path(sessionId), { server: 'sums' })).status).toBe(400)
  expect((await lab.console.ask('GET', `${path(sessionId)}?server=other`)).status).toBe(404)
})

test('a card and the Agent page show the tokens of tools, also of those that an editor added', async () => {
  await using lab = await openConsoleLab({
    file: 'sessionServers: { schemas: deferred }\nconnectWait: 60s\n',
  })
  await lab.offer('work', ['alpha', 'beta'])
  const entry = { type: 'stdio', ...lab.command('work') }
  const server = (await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'work', entry }))
    .json
  await lab.console.ask('POST', `/api/servers/${server.id}/connect`, { confirmed: true })
  await lab.go('/servers')
  await card(lab, 'work')
    .getByText(/^2 tools, \d+ tokens$/)
    .waitFor()
  await using editor = lab.edit()
  await editor.prompt(await openSession(editor, lab, [sumServer()]), 'hello')
  await lab.go('/agent?view=policy')
  await lab
    .get('row', /^alpha/)
    .getByText(/^\d+ tokens$/)
    .waitFor()
  await lab
    .get('row', /^add/)
    .getByText(/^\d+ tokens, \d+ saved$/)
    .waitFor()
  const about = lab.page.getByText(/All definitions together: /)
  expect(await about.textContent()).toMatch(/ together: [\d,]+ tokens, \d+ saved\.$/)
})

test('the card of a server of the agent shows what its tools take in a session', async () => {
  await using lab = await openConsoleLab({ file: 'connectWait: 60s\n' })
  const description = `Shows it. ${'It is shown with great care. '.repeat(20)}`
  await lab.offer('work', [{ name: 'alpha', description }])
  const entry = { type: 'stdio', ...lab.command('work'), schemas: 'deferred' }
  await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'work', entry })
  await using editor = lab.edit()
  await editor.prompt(await openSession(editor, lab, []), 'hello')
  await lab.go('/servers')
  const size = card(lab, 'work').getByText(/^1 tool, \d+ tokens, \d+ saved$/)
  await seen(() => size.count()).toBe(1)
})
