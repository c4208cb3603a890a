import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createStoredState } from '@ostler/agent-api/internal'
import { fixtureServer } from '../../support/agent-files.ts'
import { selectPermission } from '../../support/acp-harness.ts'
import { seen, type ConsolePage } from '../support/browser.ts'
import { callOnce, openConsoleLab, openSession, type ConsoleLab } from '../support/console-lab.ts'

const rows = ({ page }: Pick<ConsolePage, 'page'>) =>
  page.getByRole('region', { name: 'Calls', exact: true }).locator('button.call-head')

describe('a call of a session', () => {
  const openGated = (tool: string) =>
    openConsoleLab({ file: 'approval: { mode: always-ask }\n', script: callOnce(tool, { word: 'patience' }) })
  const gated = (lab: ConsoleLab) => ({
    name: 'gated',
    command: process.execPath,
    args: [fixtureServer('gated-server.mjs'), join(lab.path, 'gate')],
    env: [],
  })

  test('appears while it waits for an answer, runs, and ends in the list as in the editor', async () => {
    await using lab = await openGated('gated__wait')
    const answer = Promise.withResolvers<void>()
    await using editor = lab.edit({
      onPermission: (request) => answer.promise.then(() => selectPermission('allow_once')(request)),
    })
    const sessionId = await openSession(editor, lab, [gated(lab)])
    await lab.go('/calls')
    await lab.sees('No calls yet')
    const prompt = editor.prompt(sessionId, 'Wait, please')
    const row = rows(lab).filter({ hasText: 'gated / wait' })
    await row.getByText('waiting').waitFor()
    await row.getByText('Wait, please, turn 1').waitFor()
    await row.getByText('word: patience').waitFor()
    expect(editor.permissionRequests()).toMatchObject([{ sessionId }])
    answer.resolve()
    await row.getByText('running').waitFor()
    await row.click()
    await writeFile(join(lab.path, 'gate'), '')
    await row.getByText('Succeeded').waitFor()
    await lab.get('region', 'Result').getByText('waited with patience').waitFor()
    expect(await row.textContent()).toMatch(/\d (ms|s|min)/)
    const details = lab.get('region', 'Calls')
    await details.getByText('Duration', { exact: true }).waitFor()
    await details.getByText('You allowed it once', { exact: false }).waitFor()
    await details.getByText('person:allow-once', { exact: true }).waitFor()
    await details.getByRole('region', { name: 'Arguments' }).getByText('"patience"').waitFor()

    // An opened call is in the address, and Back closes it.
    await lab.page.reload()
    await lab.get('region', 'Result').getByText('waited with patience').waitFor()
    await lab.page.goBack()
    await lab.get('region', 'Result').waitFor({ state: 'detached' })

    expect((await prompt).stopReason).toBe('end_turn')
    expect(editor.text(sessionId)).toContain('The tool said: waited with patience')
    expect(await rows(lab).count()).toBe(1)
  })

  test('is shown as rejected, and did not run', async () => {
    await using lab = await openGated('gated__fail')
    await using editor = lab.edit({ onPermission: selectPermission('reject_once') })
    await editor.prompt(await openSession(editor, lab, [gated(lab)]), 'Try it')
    await lab.go('/calls?status=denied')
    const row = rows(lab).filter({ hasText: 'gated / fail' })
    await row.getByText('You rejected it').waitFor()
    await row.click()
    await lab.get('region', 'What the model was told').getByText('Do not try it again').waitFor()
    expect(await lab.page.getByText('Do not try it again').count()).toBe(1)
    await lab.go('/calls?status=error')
    await lab.sees('No call matches these filters')
    await expect(readFile(join(lab.path, 'gate.log'))).rejects.toThrow('ENOENT')
  })
})

describe('many calls', () => {
  const total = 130

  /** A lab with calls of three servers. Every tenth call failed. The last test adds a call. */
  let lab: ConsoleLab
  beforeAll(async () => {
    if (inject('chromium') === undefined) return
    lab = await openConsoleLab({ file: 'approval: { mode: auto }\n' })
    using history = createStoredState({ stateDir: lab.stateDir })
    const recorder = history.calls.recorder({ agent: 'default' })
    for (let index = 0; index < total; index++) {
      const hasFailed = index % 10 === 0
      const server = ['files', 'mail', 'web'][index % 3] ?? ''
      const args = { path: `/notes/${index}`, formula: '=1+1' }
      const record = await recorder.start({
        id: `call_${String(index).padStart(4, '0')}`,
        server,
        tool: `tool_${index % 5}`,
        arguments: args,
      })
      record.decided('allow', { by: 'mode', how: 'auto' })
      record.running()
      const text = hasFailed ? `broken, "number" ${index}` : `line one\nline two of number${index}`
      record.ended(hasFailed ? 'error' : 'success', { isError: hasFailed, content: [{ type: 'text', text }] })
    }
  })
  afterAll(() => lab?.[Symbol.asyncDispose]())
  const openCalls = async () => {
    await lab.go('/calls')
    await rows(lab).first().waitFor()
  }

  test('are loaded while scrolling, filtered and searched', async () => {
    await openCalls()
    await seen(async () => {
      await lab.page.mouse.wheel(0, 20_000)
      return rows(lab).count()
    }).toBe(total)
    expect(new Set(await rows(lab).allTextContents()).size).toBeGreaterThan(2)

    await lab.get('combobox', 'Status').selectOption('error')
    await seen(() => rows(lab).count()).toBe(13)
    await lab.get('combobox', 'Server').selectOption('mail')
    await seen(() => rows(lab).count()).toBe(4)
    expect(lab.page.url()).toContain('status=error&server=mail')
    await lab.get('combobox', 'Tool').selectOption('tool_0')
    await seen(() => rows(lab).count()).toBe(4)
    await lab.press('Clear filters')
    await seen(() => rows(lab).count()).toBe(50)

    // With the focus outside a field, the key moves it to the search.
    await lab.get('heading', 'Calls').click()
    await lab.page.keyboard.press('/')
    await lab.page.keyboard.type('number77')
    await seen(() => rows(lab).count()).toBe(1)
    await rows(lab).click()
    await lab.get('region', 'Result').getByText('line two of number77').waitFor()
    await lab.page.reload()
    await seen(() => rows(lab).count()).toBe(1)
    expect(await lab.get('searchbox', 'Search calls').inputValue()).toBe('number77')
    // Back closes the call and keeps the search. The next Back undoes the search as a whole.
    await lab.page.goBack()
    await lab.get('region', 'Result').waitFor({ state: 'detached' })
    expect(await rows(lab).count()).toBe(1)
    await lab.page.goBack()
    await seen(() => rows(lab).count()).toBe(50)
    await lab.page.goForward()
    await seen(() => rows(lab).count()).toBe(1)
    // A call that a link shows stays with its filter when another is opened, and closing it keeps the rest.
    await lab.go('/calls?id=call_0003&text=number77')
    await rows(lab).first().click()
    await lab.get('region', 'One call').getByRole('link', { name: 'Close' }).click()
    await lab.get('region', 'One call').waitFor({ state: 'detached' })
    expect(new URL(lab.page.url()).search).toBe('?text=number77&open=call_0077')
    await lab.get('searchbox', 'Search calls').press('Escape')
    await seen(() => rows(lab).count()).toBe(50)
    await lab.get('searchbox', 'Search calls').fill('nowhere at all')
    await lab.sees('No call matches these filters')

    await lab.go('/calls')
    await lab.get('combobox', 'Time').selectOption('Last hour')
    await seen(() => rows(lab).count()).toBe(50)
    await lab.get('combobox', 'Time').selectOption('Between…')
    await lab.page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00')
    await lab.sees('No call matches these filters')
  })

  test('are exported with the current filter, as JSON and CSV', async () => {
    await openCalls()
    const download = async (name: string) => {
      const [file] = await Promise.all([lab.page.waitForEvent('download'), lab.get('button', name).click()])
      return readFile(await file.path(), 'utf8')
    }
    const all = JSON.parse(await download('Export JSON')) as { id: string; result: unknown }[]
    expect(all).toHaveLength(total)
    expect(all[0]).toMatchObject({
      id: 'call_0129',
      server: 'files',
      tool: 'tool_4',
      arguments: { path: '/notes/129' },
    })

    await lab.get('combobox', 'Status').selectOption('error')
    await seen(() => rows(lab).count()).toBe(13)
    const [head, ...lines] = parseCsv(await download('Export CSV'))
    expect(lines).toHaveLength(13)
    const cell = (line: readonly string[] | undefined, column: string) => line?.[head?.indexOf(column) ?? -1]
    expect(cell(lines[0], 'id')).toBe('call_0120')
    expect(cell(lines[0], 'result')).toBe('broken, "number" 120')
    expect(JSON.parse(cell(lines[0], 'arguments') ?? '')).toEqual({ path: '/notes/120', formula: '=1+1' })
  })

  test('are charted per server and day, and a server in the chart is a filter', async () => {
    await openCalls()
    await lab.get('img', 'files: 44 calls, 5 errors').waitFor()
    expect(await lab.get('img', /^(files|mail|web): \d+ calls/).count()).toBe(3)
    expect(await lab.get('img', /: durations per day$/).count()).toBe(3)
    expect(
      await lab.get('img', 'files: 44 calls, 5 errors').locator('rect.bar-errors').count(),
    ).toBeGreaterThan(0)
    await lab.get('group', 'Statistics per server, scrollable').getByRole('button', { name: 'web' }).click()
    await seen(() => rows(lab).count()).toBe(43)
    await seen(() => lab.get('img', /: \d+ calls/).count()).toBe(1)
  })

  test('that arrive while a person reads wait until they are requested', async () => {
    await openCalls()
    await rows(lab).first().click()
    const first = await rows(lab).first().textContent()
    await lab.console.ask('POST', '/api/servers', {
      confirmed: true,
      name: 'new',
      entry: { type: 'stdio', command: 'true' },
    })
    await lab.press(/^1 new$/)
    await rows(lab).first().getByText('add-server new').waitFor()
    expect(await rows(lab).nth(1).textContent()).toBe(first)
  })
})

test("a call is repeated, unchanged or edited, and recorded as the person's", async () => {
  await using lab = await openConsoleLab({ file: 'approval: { mode: auto }\n' })
  const entry = {
    type: 'stdio',
    command: process.execPath,
    args: [fixtureServer('whole-server.mjs'), 'stdio'],
  }
  const { json: server } = await lab.console.ask('POST', '/api/servers', {
    confirmed: true,
    name: 'whole',
    entry,
  })
  await lab.console.ask('POST', `/api/servers/${server.id}/call`, {
    tool: 'add',
    arguments: { a: 1, b: 2 },
    confirmed: true,
  })
  await lab.go('/calls?server=whole')
  await rows(lab).click()
  await lab.press('Run again')
  const json = lab.inDialog('textbox', 'Arguments (JSON)')
  expect(JSON.parse(await json.inputValue())).toEqual({ a: 1, b: 2 })
  await json.fill('{ "a": 1')
  expect(await lab.inDialog('button', 'Run now').isDisabled()).toBe(true)
  await lab.page.keyboard.press('Escape')
  await lab.get('dialog', 'Discard what you typed?').waitFor()
  await lab.inDialog('button', 'Cancel').click()
  await json.fill('{ "a": 40, "b": 2 }')
  await lab.inDialog('button', 'Run now').click()
  await lab.inDialog('region', 'Result').getByText('42', { exact: true }).first().waitFor()
  await lab.inDialog('button', 'Close').last().click()
  await seen(async () => (await lab.console.ask('GET', '/api/calls?server=whole')).json.calls.length).toBe(2)
  const { json: list } = await lab.console.ask('GET', '/api/calls?server=whole')
  expect(list.calls).toMatchObject([
    { rule: 'person:console', status: 'success' },
    { rule: 'person:console' },
  ])

  await lab.get('link', 'Edit in Tools').click()
  await seen(() => lab.get('textbox', /^a/).inputValue()).toBe('1')
  expect(await lab.get('textbox', /^b/).inputValue()).toBe('2')
})

/** Parses CSV by RFC 4180, independently of the code that writes it. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = []
  let cells: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    lines.push(cells)
    cells = []
  }
  return lines.filter((line) => line.length > 1)
}
