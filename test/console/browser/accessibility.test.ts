import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { startHttpFixture } from '../../support/mcp-clients.ts'
import { openConsoleProcess } from '../console-process.ts'
import { openConsolePage, seen, type ConsolePage } from '../support/browser.ts'
import { openConsoleLab, type ConsoleLab } from '../support/console-lab.ts'
import { openFurnishedLab } from '../support/furnish.ts'
import { problemsInViews } from '../support/look-at-page.ts'
import { emptyStates, furnishedStates } from '../support/page-states.ts'

/** The name of the focused element, and whether its focus is visible. */
const focused = `(() => {
  const element = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const shown = element.matches('input[type=radio], [role=switch]') ? getComputedStyle(element.nextElementSibling ?? element) : undefined
  const isOutlined = (style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
  return { name: (name ?? '').trim(), tag: element.localName, isSeen: isOutlined({ outlineStyle, outlineWidth }) || (shown !== undefined && isOutlined(shown)) }
})()`
const focusOf = (page: Page) => page.evaluate<{ name: string; tag: string; isSeen: boolean }>(focused)

describe('every page and every dialog', () => {
  let lab: ConsoleLab
  /** One page for all states, because a new one takes longer than most of them. */
  let open: ConsolePage
  const opened = new AsyncDisposableStack()
  beforeAll(async () => {
    if (inject('chromium') === undefined) return
    lab = opened.use(await openFurnishedLab({ pastDays: 8 }))
    open = opened.use(await openConsolePage(lab.console))
  })
  afterAll(() => opened.disposeAsync())

  test.each(Object.entries(furnishedStates))('%s: for everyone, in each view', async (_, reach) => {
    await using _state = (await reach(open, lab)) ?? undefined
    expect(await problemsInViews(open.page)).toEqual([])
    expect(open.problems).toEqual([])
  })

  test('nothing to show, and nobody there: for everyone, in each view', async () => {
    await using console = await openConsoleProcess({ isLeftClosed: true })
    await using open = await openConsolePage(console)
    for (const [name, reach] of Object.entries(emptyStates(console))) {
      await reach(open, lab)
      expect([name, await problemsInViews(open.page)]).toEqual([name, []])
    }
  })

  test('the chosen theme applies, whatever the system says', async () => {
    await using open = await openConsolePage(lab.console, { colorScheme: 'light' })
    const background = () => open.page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
    await open.go('/servers')
    const light = await background()
    await open.get('radio', 'Dark').check()
    const dark = await background()
    expect(dark).not.toBe(light)
    await open.page.reload()
    await open.get('heading', 'Servers').waitFor()
    expect(await background()).toBe(dark)
    await open.get('radio', 'System').check()
    expect(await background()).toBe(light)
    await open.page.emulateMedia({ colorScheme: 'dark' })
    expect(await background()).toBe(dark)
  })

  test('arrow keys move through lists, and shortcuts lead to every page', async () => {
    await using open = await openConsolePage(lab.console)
    const { page } = open
    const { keyboard } = page
    await open.go('/servers')
    await open.get('searchbox').waitFor()
    for (const [key, title] of [
      ['t', 'Tools'],
      ['c', 'Calls'],
      ['a', 'Agent'],
      ['e', 'Sessions'],
      ['s', 'Servers'],
    ] as const) {
      await keyboard.press('g')
      await keyboard.press(key)
      await open.get('heading', title).first().waitFor()
      await seen(async () => (await focusOf(page)).name).toBe(title)
    }
    await open.go('/calls')
    const rows = page.locator('button.call-head')
    await rows.nth(3).waitFor()
    await rows.first().focus()
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    expect(await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-expanded'))).then((all) => all.indexOf('true'))).toBe(2)
    await keyboard.press('Home')
    expect(await rows.first().evaluate((row) => row.matches(':focus'))).toBe(true)
    await keyboard.press('?')
    await open.get('dialog', 'Keyboard shortcuts').waitFor()
    await keyboard.press('Escape')
    await open.get('dialog').waitFor({ state: 'detached' })
  })
})

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
    await page.keyboard.press('Enter')
    await lab.inDialog('list', 'Discovered tools').waitFor()
  })
})
