import { describe, expect, test } from 'vitest'
import { openConsoleProcess } from '../console-process.ts'
import { openConsolePage, seen } from '../support/browser.ts'
import { focusOf } from '../support/focus-of.ts'
import { problemsInViews } from '../support/look-at-page.ts'
import { lookAtStates } from '../support/look-at-states.ts'
import { emptyStates, pageStates } from '../support/page-states.ts'

describe('every page and every dialog', () => {
  const { lab } = lookAtStates(pageStates)

  test('nothing to show, and nobody there: for everyone, in each view', async () => {
    await using console = await openConsoleProcess({ isLeftClosed: true })
    await using open = await openConsolePage(console)
    for (const [name, reach] of Object.entries(emptyStates(console))) {
      await reach(open, lab())
      expect([name, await problemsInViews(open.page)]).toEqual([name, []])
    }
  })

  test('the chosen theme applies, whatever the system says', async () => {
    await using open = await openConsolePage(lab().console, { colorScheme: 'light' })
    const background = () =>
      open.page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
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
    await using open = await openConsolePage(lab().console)
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
    expect(
      await rows
        .evaluateAll((all) => all.map((row) => row.getAttribute('aria-expanded')))
        .then((all) => all.indexOf('true')),
    ).toBe(2)
    await keyboard.press('Home')
    expect(await rows.first().evaluate((row) => row.matches(':focus'))).toBe(true)
    await keyboard.press('?')
    await open.get('dialog', 'Keyboard shortcuts').waitFor()
    await keyboard.press('Escape')
    await open.get('dialog').waitFor({ state: 'detached' })
  })
})
