import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { startHttpFixture } from '../../support/mcp-clients.ts'
import { seen } from '../support/browser.ts'
import { openConsoleLab } from '../support/console-lab.ts'
import { focusOf } from '../support/focus-of.ts'

describe('with the keyboard alone', () => {
  async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
    const passed: string[] = []
    for (let count = 0; count < 60; count++) {
      await page.keyboard.press(key)
      const focus = await focusOf(page)
      if (focus.tag !== 'body') expect([focus.name, focus.isSeen]).toEqual([focus.name, true])
      if (name.test(focus.name)) return
      passed.push(focus.name)
    }
    throw new Error(`the focus never came to ${String(name)}: ${passed.join(' | ')}`)
  }

  test('a server is added: tested, its tools viewed, saved, and the focus moves along', async () => {
    await using server = await startHttpFixture('whole-server.mjs', 'http')
    await using lab = await openConsoleLab({ file: 'approval: { mode: auto }\n' })
    const { page } = lab
    const { keyboard } = page
    await lab.go('/calls')
    await lab.sees('No calls yet')
    await keyboard.press('Tab')
    expect((await focusOf(page)).name).toBe('Skip to content')
    await keyboard.press('g')
    await keyboard.press('s')
    await seen(async () => (await focusOf(page)).name).toBe('Servers')
    await tabTo(page, /^Add server$/)
    await keyboard.press('Enter')
    await lab.get('dialog', 'Add server').waitFor()
    await tabTo(page, /^Fill in a form$/)
    await page.keyboard.press('Enter')
    await lab.inDialog('button', 'Save').waitFor()
    await tabTo(page, /^Name/)
    await keyboard.type('notes')
    await tabTo(page, /^Command \(stdio\)$/)
    await keyboard.press('ArrowRight')
    expect(await lab.inDialog('radio', 'HTTP').isChecked()).toBe(true)
    await tabTo(page, /^URL/)
    await keyboard.type(server.url)
    await tabTo(page, /^Test connection$/)
    await keyboard.press('Space')
    await seen(() => lab.inDialog('list', 'Discovered tools').getByRole('listitem').count()).toBe(6)
    await tabTo(page, /^Save$/)
    await keyboard.press('Enter')
    // Its tools are shown.
    await page.waitForURL('**/servers/notes')
    await seen(async () => (await focusOf(page)).name).toBe('notes')
    await keyboard.press('g')
    await keyboard.press('s')
    await page.getByRole('article', { name: 'notes' }).waitFor()
    await seen(async () => (await focusOf(page)).name).toBe('Servers')

    // The same works for a question. Escape closes a dialog.
    await tabTo(page, /^Remove$/)
    await keyboard.press('Enter')
    await lab.get('dialog', 'Remove notes?').waitFor()
    await keyboard.press('Escape')
    await lab.get('dialog').waitFor({ state: 'detached' })
    expect((await focusOf(page)).name).toBe('Remove')
    await keyboard.press('Enter')
    await lab.get('dialog', 'Remove notes?').waitFor()
    await tabTo(page, /^Remove$/)
    await lab.inDialog('button', 'Remove').click({ trial: true })
    await keyboard.press('Enter')
    await lab.sees('No servers yet')
    await seen(async () => (await focusOf(page)).name).toBe('Servers')
  })

  test('a command needs consent, and the focus moves from dialog to dialog and back', async () => {
    await using lab = await openConsoleLab({ file: 'approval: { mode: auto }\n' })
    const { page } = lab
    await lab.go('/servers')
    await tabTo(page, /^Add server$/)
    await page.keyboard.press('Enter')
    await lab.get('dialog', 'Add server').waitFor()
    await tabTo(page, /^Fill in a form$/)
    await page.keyboard.press('Enter')
    await lab.inDialog('button', 'Save').waitFor()
    for (const [field, text] of [
      [/^Name/, 'local'],
      [/^Command( \*|$| \(required)/, process.execPath],
    ] as const) {
      await tabTo(page, field)
      await page.keyboard.type(text)
    }
    await tabTo(page, /^Arguments$/)
    await page.keyboard.type(fixtureServer('whole-server.mjs'))
    await page.keyboard.press('Enter')
    await page.keyboard.type('stdio')
    await tabTo(page, /^Test connection$/)
    await page.keyboard.press('Enter')
    await lab.get('dialog', 'Run this command?').waitFor()
    await page.keyboard.press('Escape')
    await lab.get('dialog', 'Run this command?').waitFor({ state: 'detached' })
    // Only the question is gone.
    expect(await lab.get('dialog', 'Add server').count()).toBe(1)
    await seen(async () => (await focusOf(page)).name).toBe('Test connection')
    await page.keyboard.press('Enter')
    await lab.get('dialog', 'Run this command?').waitFor()
    await tabTo(page, /^Run and test$/)
    // It accepts a press once it has stood there for a moment.
    await lab.inDialog('button', 'Run and test').click({ trial: true })
    await page.keyboard.press('Enter')
    await lab.inDialog('list', 'Discovered tools').waitFor()
  })
})
