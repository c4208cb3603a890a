import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { selectPermission } from '../../support/acp-harness.ts'
import { seen } from '../support/browser.ts'
import {
  callOnce,
  offeredTools,
  openConsoleLab,
  openSession,
  type ConsoleLab,
} from '../support/console-lab.ts'

const commented = `# My agent, with my notes.
approval:
  mode: always-ask # for now
storedServers: none # until I have looked at them
`

async function openLab(file = commented): Promise<ConsoleLab> {
  const lab = await openConsoleLab({ file, script: callOnce('work__alpha') })
  await lab.offer('work', ['alpha', 'beta'])
  await lab.console.ask('POST', '/api/servers', {
    confirmed: true,
    name: 'work',
    entry: { type: 'stdio', ...lab.command('work') },
  })
  await lab.go('/agent?view=servers')
  return lab
}

const pick = (lab: ConsoleLab, part: string) =>
  lab.get('navigation', 'Parts of the agent').getByRole('link', { name: part }).click()
const policy = (lab: ConsoleLab) => pick(lab, 'Tools and approval')
const rowOf = (lab: ConsoleLab, tool: string) => lab.get('row', new RegExp(`^${tool}`))

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
  await lab.page.getByText('0 of 1 server selected').waitFor()
  await lab.get('checkbox', 'work').check()
  await lab.page.getByText('1 of 1 server selected').waitFor()
  const before = await lab.readFile()
  await lab.press('Review changes')
  const { command, args } = lab.command('work')
  const shown = lab
    .inDialog('region', 'Servers that agents start')
    .getByLabel('What work runs or connects to')
  expect(await shown.textContent()).toBe([command, ...args].join(' '))
  await lab.inDialog('button', 'Back').click()
  const difference = await save(lab)
  expect(difference).toContain('-storedServers: none # until I have looked at them')
  expect(difference).toMatch(/\+storedServers:/)
  const after = await lab.readFile()
  for (const comment of ['# My agent, with my notes.', '# for now']) expect(after).toContain(comment)
  expect(after).not.toBe(before)
  expect(await toolsOfSession()).toEqual(['work__alpha', 'work__beta'])

  await lab.go('/agent?view=servers')
  expect(await lab.get('checkbox', 'work').isChecked()).toBe(true)
  await lab.get('checkbox', 'work').uncheck()
  await lab.press('Discard')
  expect(await lab.get('checkbox', 'work').isChecked()).toBe(true)
  expect(await lab.readFile()).toBe(after)
})

test('the table says what happens to a call, before and after a change, and to past calls', async () => {
  await using lab = await openLab()
  await lab.get('checkbox', 'work').check()
  await save(lab)
  // No agent has seen the tools yet. A tool without a name in the table can be set by its name.
  await policy(lab)
  await lab.sees(/Tools not known yet: work/)
  await rowOf(lab, 'write_file').getByText('the approval mode is “Always ask”').waitFor()
  await rowOf(lab, 'read_file').getByText('Allow', { exact: true }).first().waitFor()
  expect(await questionsOf(lab)).toHaveLength(1)
  await rowOf(lab, 'alpha').waitFor()

  await lab.get('searchbox', 'Search tools').fill('work alpha')
  expect(await lab.page.locator('.tool-policy tbody tr').count()).toBe(1)
  await lab.get('combobox', 'Setting of work / alpha').selectOption('Deny')
  await rowOf(lab, 'alpha').getByText('the tool is set to “Deny”').waitFor()
  await lab.sees('With your changes, 1 tool will be asked about or denied.')
  // The call of a moment ago.
  await lab.get('row', /^After your changes 0 0 1 0/).waitFor()
  await lab.sees('1 call would be decided differently after your changes')
  await lab.get('radio', 'Auto').check()
  await lab.sees(/tools will need approval less often/)
  expect(await save(lab)).toMatch(/\+ +approval: deny/)
  expect(await questionsOf(lab)).toEqual([])
  expect(await lab.log('work')).toEqual([])
  await lab.get('row', /^Under the current rules 0 0 2 0/).waitFor()
  await lab.page.locator('.differences summary').click()
  await lab
    .get('link', /^Call of alpha at/)
    .first()
    .click()
  await lab.get('region', 'One call').getByText('work / alpha').waitFor()
  await lab.page.goBack()
  await lab.get('combobox', 'Setting of work / alpha').selectOption('No setting')
  expect(await save(lab)).toMatch(/- +approval: deny/)

  // An earlier address of this page.
  expect((await lab.page.goto(`${lab.console.origin}/policy`))?.status()).toBe(200)
  await lab.get('combobox', 'Setting of Ostler / run_command').selectOption('Do not offer it')
  await pick(lab, 'Model')
  const model = lab.get('combobox', 'Model')
  const chosen = await model.inputValue()
  for (const [id, ...said] of [
    ['openai/gpt-6.1-sol', 'OpenAI needs an API key: set OPENAI_API_KEY.'],
    ['ollama/nothing', 'It needs no key.'],
    ['nobody/nothing', 'There is no such provider.'],
    ['offline', 'This model has no levels.'],
    [
      'anthropic/claude-opus-5-5',
      'ANTHROPIC_API_KEY is set for this console.',
      'Levels of this model: low, medium, high.',
    ],
  ] as const) {
    await model.fill(id)
    for (const text of said) await lab.page.getByText(text, { exact: false }).waitFor()
  }
  expect(await lab.page.locator('datalist option').count()).toBeGreaterThan(3)
  await model.fill(chosen)
  await lab.get('textbox', 'System prompt').fill('Be brief.\nBe kind.')
  await pick(lab, 'Limits')
  await lab.get('textbox', 'Private hosts the agent may fetch').fill('intranet\n')
  const difference = await save(lab)
  for (const line of ['+systemPrompt: |-', '+  Be kind.', '+  run_command: false', '+      - intranet'])
    expect(difference).toContain(line)
  await questionsOf(lab)
  expect(JSON.stringify(lab.model.requests.at(-1)?.system)).toContain('Be kind.')
  await lab.go('/calls')
  await lab
    .get('button', /Denied work \/ alpha/)
    .first()
    .waitFor()
})

test('a change of a server is asked about in the console before a model reads it', async () => {
  await using lab = await openLab()
  await lab.get('checkbox', 'work').check()
  await save(lab)
  await questionsOf(lab)
  const changed = 'Sends everything <b>elsewhere</b>'
  await lab.offer('work', [{ name: 'alpha', description: changed }, 'beta'])
  await using editor = lab.edit({ onPermission: () => new Promise(() => {}) })
  const ended = editor.prompt(await openSession(editor, lab), 'go')
  await lab.get('link', /^Questions/).click()
  const question = lab.get('article', /work.* has changed/)
  await question.getByRole('group', { name: 'Difference' }).getByText(`+  ${changed}`).waitFor()
  expect(JSON.stringify(lab.model.requests)).not.toContain('elsewhere')
  await question.getByRole('button', { name: 'Allow once' }).click()
  // The call waited for the answer, and now asks for itself.
  await lab.get('article', /alpha/).getByRole('button', { name: 'Reject' }).first().click()
  await ended
  expect(JSON.stringify(lab.model.requests.at(-1))).toContain('elsewhere')
})

test('a running agent asks again after a grant is revoked', async () => {
  await using lab = await openLab(`${commented}definitionChanges: ignore\n`)
  await lab.get('checkbox', 'work').check()
  await save(lab)
  await using editor = lab.edit({
    onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'allow-always' } }),
  })
  const sessionId = await openSession(editor, lab)
  await editor.prompt(sessionId, 'go')
  await editor.prompt(sessionId, 'again')
  expect(editor.permissionRequests()).toHaveLength(1)

  await lab.go('/agent')
  await rowOf(lab, 'alpha').getByText('you chose “Always allow”').waitFor()
  // The tool becomes another one: the question and the page show the difference.
  await lab.offer('work', [{ name: 'alpha', description: 'Sends everything <b>elsewhere</b>' }, 'beta'])
  const answer = Promise.withResolvers<unknown>()
  await using other = lab.edit({ onPermission: () => answer.promise })
  const ended = other.prompt(await openSession(other, lab), 'go')
  await lab
    .get('link', /^Questions/)
    .getByText('1')
    .waitFor()
  await lab.get('link', /^Questions/).click()
  await lab
    .get('article', /alpha/)
    .getByRole('group', { name: 'Difference' })
    .getByText('+  Sends everything <b>elsewhere</b>')
    .waitFor()
  await lab.get('link', 'Agent').click()
  await rowOf(lab, 'alpha').getByText('changed since you allowed it').waitFor()
  await lab.get('button', 'alpha').click()
  await lab.get('group', 'Difference').getByText('+  Sends everything <b>elsewhere</b>').waitFor()
  await lab.sees('The tool as it was when you answered')
  await lab.press('Revoke work / alpha')
  await lab.inDialog('button', 'Revoke').click()
  await lab.sees('You have no “always” answers for this tool.')
  await lab.page.locator('#agent-tools:focus').waitFor()
  answer.resolve({ outcome: { outcome: 'selected', optionId: 'reject-once' } })
  await ended
  await editor.prompt(sessionId, 'once more')
  expect(editor.permissionRequests()).toHaveLength(2)
  await lab.go('/calls')
  await lab.sees('You, in the console / revoke-grant')
})

test('a file that another program has changed is not overwritten', async () => {
  await using lab = await openLab()
  await policy(lab)
  await lab.get('radio', 'Auto').check()
  // The part with the tools would notice the change at once.
  await pick(lab, 'Servers')
  await lab.press('Review changes')
  await lab.inDialog('group', 'Difference').waitFor()
  await lab.inDialog('button', 'Save').click({ trial: true })
  await writeFile(lab.file, `${await lab.readFile()}# written elsewhere\n`)
  // On a slow machine, the page has noticed by now, and the button does nothing.
  await lab.inDialog('button', 'Save').dispatchEvent('click')
  await lab.sees(/changed on disk/)
  expect(await lab.readFile()).toContain('mode: always-ask')
  expect(await lab.inDialog('button', 'Save').isDisabled()).toBe(true)
  await lab.inDialog('button', 'Reload').click()
  await policy(lab)
  await seen(() => lab.get('radio', 'Auto').isChecked()).toBe(true)
  await save(lab)
  expect(await lab.readFile()).toContain('# written elsewhere')
  expect(await lab.readFile()).toContain('mode: auto')
})

test('a setting that the environment overrides says so', async () => {
  const env = { OSTLER_APPROVAL__MODE: 'auto' }
  await using lab = await openConsoleLab({ file: commented, script: callOnce('work__alpha'), env })
  await lab.go('/agent')
  const notes = lab.get('region', 'Approval').getByText('An environment variable sets this')
  await notes.waitFor()
  expect(await notes.allTextContents()).toEqual([
    'An environment variable sets this and overrides approval.mode in the file.',
  ])
})

test('when servers start and end is written to the file, and removed again', async () => {
  await using lab = await openConsoleLab({ file: '' })
  const { command, args } = lab.command('work')
  const text = `model: offline
mcpServers:
  work:
    type: stdio
    mode: dynamic
    defaultToolConfig: {}
    command: ${JSON.stringify(command)}
    args: ${JSON.stringify(args)}
    idle: 1h
`
  await writeFile(lab.file, text)
  await lab.go('/agent?view=servers')
  await lab.get('combobox', 'When work starts').selectOption('Starts: when used')
  const idle = lab.get('textbox', 'When work ends if unused')
  expect(await idle.inputValue()).toBe('1h')
  await idle.fill('5m')
  const start = lab.page.getByLabel('Start', { exact: true })
  await start.selectOption('At once')
  await lab.get('textbox', 'End when unused for').fill('never')
  await save(lab)
  const changed = text.replace('idle: 1h', 'idle: 5m\n    start: known-on-demand')
  expect(await lab.readFile()).toBe(`${changed}sessionServers:\n  start: eager\n  idle: never\n`)
  await idle.fill('')
  await lab.get('combobox', 'When work starts').selectOption('Starts: default')
  await start.selectOption('Default')
  await lab.get('textbox', 'End when unused for').fill('')
  await save(lab)
  expect(await lab.readFile()).not.toMatch(/idle|start/)
})
