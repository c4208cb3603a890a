import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { selectPermission } from '../../support/acp-harness.ts'
import { seen } from '../support/browser.ts'
import { callOnce, offeredTools, openConsoleLab, openSession, type ConsoleLab } from '../support/console-lab.ts'

const commented = `# My agent, with my notes.
approval:
  mode: always-ask # for now
storedServers: none # until I have looked at them
`

async function openLab(): Promise<ConsoleLab> {
  const lab = await openConsoleLab({ file: commented, script: callOnce('work__alpha') })
  await lab.offer('work', ['alpha', 'beta'])
  await lab.console.ask('POST', '/api/servers', { confirmed: true, name: 'work', entry: { type: 'stdio', ...lab.command('work') } })
  await lab.go('/agent')
  return lab
}

async function save(lab: ConsoleLab): Promise<string> {
  await lab.press('Review changes')
  const difference = await lab.inDialog('group', 'Difference').textContent()
  await lab.inDialog('button', 'Save').click()
  await lab.get('dialog').waitFor({ state: 'detached' })
  await lab.get('region', 'Unsaved changes').waitFor({ state: 'detached' })
  return difference ?? ''
}

/** The questions of a new agent's session when its model calls a tool. */
async function questionsOf(lab: ConsoleLab): Promise<string[]> {
  await using editor = lab.edit({ onPermission: selectPermission('reject_once') })
  await editor.prompt(await openSession(editor, lab), 'go')
  return editor.permissionRequests().map(({ toolCall }) => String(toolCall.title))
}

test('a selected server is written to the file, which keeps its comments, and a new session has its tools', async () => {
  await using lab = await openLab()
  const toolsOfSession = async () => {
    await using editor = lab.edit({ onPermission: selectPermission('reject_once') })
    await editor.prompt(await openSession(editor, lab), 'go')
    return offeredTools(lab)
  }
  expect(await toolsOfSession()).toEqual([])
  await lab.page.getByText('0 of 1 server in use').waitFor()
  await lab.get('checkbox', 'work').check()
  await lab.page.getByText('1 of 1 server in use').waitFor()
  const before = await lab.readFile()
  const difference = await save(lab)
  expect(difference).toContain('-storedServers: none # until I have looked at them')
  expect(difference).toMatch(/\+storedServers:/)
  const after = await lab.readFile()
  for (const comment of ['# My agent, with my notes.', '# for now']) expect(after).toContain(comment)
  expect(after).not.toBe(before)
  expect(await toolsOfSession()).toEqual(['work__alpha', 'work__beta'])

  await lab.go('/agent')
  expect(await lab.get('checkbox', 'work').isChecked()).toBe(true)
  await lab.get('checkbox', 'work').uncheck()
  await lab.press('Discard')
  expect(await lab.get('checkbox', 'work').isChecked()).toBe(true)
  expect(await lab.readFile()).toBe(after)
})

test('the configured approval decides what a new session asks', async () => {
  await using lab = await openLab()
  await lab.get('checkbox', 'work').check()
  await save(lab)
  expect(await questionsOf(lab)).toHaveLength(1)

  await lab.get('radio', 'Auto').check()
  await lab.sees(/Run tools without asking/)
  expect(await save(lab)).toMatch(/\+ {2}mode: auto/)
  expect(await questionsOf(lab)).toEqual([])
  expect(lab.model.requests.at(-1)?.messages.at(-1)?.parts).toMatchObject([{ type: 'tool_result', text: 'alpha is done' }])

  await lab.get('radio', 'Trusted only').check()
  await lab.get('textbox', 'Trusted tools').fill('work:beta')
  await save(lab)
  expect(await questionsOf(lab)).toHaveLength(1)
  await lab.get('textbox', 'Trusted tools').fill('work:beta\nwork:alpha')
  await save(lab)
  expect(await questionsOf(lab)).toEqual([])

  await lab.get('radio', 'Always ask').check()
  await save(lab)
  expect(await questionsOf(lab)).toHaveLength(1)
  expect(await lab.readFile()).toContain('# My agent, with my notes.')
})

test('a tool that is denied by name is not asked about, and does not run', async () => {
  await using lab = await openLab()
  await lab.get('checkbox', 'work').check()
  await lab.get('radio', 'Auto').check()
  await lab.press('Add tool')
  await lab.get('textbox', 'Name of tool 1').fill('alpha')
  await lab.get('combobox', 'Server of tool 1').selectOption('work')
  await lab.get('combobox', 'Approval of tool 1').selectOption('deny')
  await save(lab)
  expect(await questionsOf(lab)).toEqual([])
  expect(await lab.log('work')).toEqual([])
  await lab.go('/calls')
  await lab.get('button', /denied work \/ alpha/).waitFor()
})

test('a running agent asks again after a grant is revoked', async () => {
  await using lab = await openLab()
  await lab.get('checkbox', 'work').check()
  await save(lab)
  await using editor = lab.edit({ onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-always' } }) })
  const sessionId = await openSession(editor, lab)
  await editor.prompt(sessionId, 'go')
  await editor.prompt(sessionId, 'again')
  expect(editor.permissionRequests()).toHaveLength(1)

  await lab.go('/agent')
  const grants = lab.get('list', 'Grants').getByRole('listitem')
  await grants.first().waitFor()
  expect(await grants.allTextContents()).toEqual([expect.stringContaining('Always allow')])
  await lab.sees('Valid until one of these changes')
  await lab.press('Revoke work / alpha')
  await lab.inDialog('button', 'Revoke').click()
  await lab.sees(/^None yet/)
  await lab.page.locator('#agent-grants:focus').waitFor()
  await editor.prompt(sessionId, 'once more')
  expect(editor.permissionRequests()).toHaveLength(2)
  await lab.go('/calls')
  await lab.sees('You, in the console / revoke-grant')
})

test('a file that was changed elsewhere meanwhile is not overwritten', async () => {
  await using lab = await openLab()
  await lab.get('radio', 'Auto').check()
  await lab.press('Review changes')
  await lab.inDialog('group', 'Difference').waitFor()
  await writeFile(lab.file, `${await lab.readFile()}# written elsewhere\n`)
  await lab.inDialog('button', 'Save').click()
  await lab.sees(/changed on disk/)
  expect(await lab.readFile()).toContain('mode: always-ask')
  expect(await lab.inDialog('button', 'Save').isDisabled()).toBe(true)
  await lab.inDialog('button', 'Reload').click()
  await seen(() => lab.get('radio', 'Auto').isChecked()).toBe(true)
  await save(lab)
  expect(await lab.readFile()).toContain('# written elsewhere')
  expect(await lab.readFile()).toContain('mode: auto')
})
