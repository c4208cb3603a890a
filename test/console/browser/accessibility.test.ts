import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fixtureServer } from '../../support/agent-files.ts'
import { startHttpFixture } from '../../support/mcp-clients.ts'
import { openConsolePage, seen, type ConsolePage } from '../support/browser.ts'
import { openConsoleLab, type ConsoleLab } from '../support/console-lab.ts'
import { openFurnishedLab } from '../support/furnish.ts'

const wide = { width: 1280, height: 800 }
const narrow = { width: 400, height: 800 }

const contrast = 'color-contrast'
const levels = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }

/** What a view can change: everything in the first one, then only the colors, or everything but the colors. */
const rulesOf = {
  light: { runOnly: levels },
  dark: { runOnly: { type: 'rule', values: [contrast] } },
  narrow: { runOnly: levels, rules: { [contrast]: { enabled: false } } },
} as const

/** Violations of WCAG 2 levels A and AA, as far as a program can find them. */
async function violations(page: Page, view: keyof typeof rulesOf): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source)
  const options = JSON.stringify({ ...rulesOf[view], resultTypes: ['violations'] })
  return page.evaluate<string[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`,
  )
}

/** Elements wider than the window. Wide content must scroll in its own container. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[document.documentElement, ...document.querySelectorAll('dialog, .dialog-body')]
    .filter((element) => element.scrollWidth > element.clientWidth)
    .map((element) => element.localName + '.' + element.className + ': ' + element.scrollWidth + ' in ' + element.clientWidth)`)
}

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
    open = opened.use(await openConsolePage(lab.console, { reducedMotion: 'reduce' }))
  })
  afterAll(() => opened.disposeAsync())

  const openTool = async (tool: string, { go, get }: ConsolePage) => {
    await go(`/servers/everything?tool=${tool}`)
    await get('heading', 'Try it').waitFor()
  }
  const card = ({ page }: ConsolePage, name: string) => page.getByRole('article', { name, exact: true })

  const states: Readonly<Record<string, (open: ConsolePage) => Promise<unknown>>> = {
    servers: async (open) => {
      await open.go('/servers')
      await open.page.getByText('Last output').or(card(open, 'tickets')).first().waitFor()
    },
    'a search without result': async (open) => {
      await open.go('/servers')
      await open.get('searchbox').fill('nowhere')
      await open.sees('No server matches “nowhere”')
    },
    'add server': async (open) => {
      await open.go('/servers')
      await open.press('Add server')
      await open.inDialog('button', 'Fill in a form').click()
      await open.inDialog('button', 'Save').click()
      await open.page.locator('[aria-invalid=true]').first().waitFor()
      await open.page.evaluate(`for (const closed of document.querySelectorAll('dialog details')) closed.open = true`)
    },
    'add server over HTTP': async (open) => {
      await open.go('/servers')
      await open.press('Add server')
      await open.inDialog('button', 'Fill in a form').click()
      await open.inDialog('radio', 'HTTP').check()
      await open.inDialog('combobox', 'Authentication').selectOption('User name and password')
      await open.inDialog('textbox', /^URL/).fill('http://example.com/mcp')
      await open.inDialog('button', 'Add header').click()
      await open.inDialog('checkbox', 'Allow unencrypted HTTP').waitFor()
    },
    'edit server, tested': async (open) => {
      await open.go('/servers')
      await card(open, 'files').getByRole('button', { name: 'Edit' }).click()
      // It was confirmed when it was added.
      await open.inDialog('button', 'Test connection').click()
      await open.inDialog('list', 'Discovered tools').waitFor()
    },
    'the question before a command': async (open) => {
      await open.go('/servers')
      await card(open, 'tickets').getByRole('button', { name: 'Edit' }).click()
      await open.inDialog('textbox', 'Arguments').fill('--project\nbarn')
      await open.inDialog('button', 'Save').click()
      await open.get('dialog', 'Run this command?').waitFor()
    },
    'a connection that failed': async (open) => {
      await open.go('/servers')
      await card(open, 'tickets').getByRole('button', { name: 'Connect' }).click()
      await open.get('alert').waitFor()
    },
    'remove server': async (open) => {
      await open.go('/servers')
      await card(open, 'files').getByRole('button', { name: 'Remove' }).click()
    },
    'add, before anything is pasted': async (open) => {
      await open.go('/servers')
      await open.press('Add server')
      await open.inDialog('textbox', 'Command line, URL or JSON').waitFor()
    },
    'add, one server with gaps': async (open) => {
      await open.go('/servers')
      await open.press('Add server')
      const line = `npx -y @scope/mcp-server-${'x'.repeat(80)} --dir /path/to/files --api-key <API_KEY>`
      await open.inDialog('textbox', 'Command line, URL or JSON').fill(line)
      await open.page.getByLabel('API_KEY').waitFor()
    },
    'add, several servers': async (open) => {
      await open.go('/servers')
      await open.press('Add server')
      const servers = { files: { command: 'true' }, one: { command: 'npx', args: ['-y', 'x'.repeat(80)], env: { KEY: 'x' } }, odd: 3 }
      await open.inDialog('textbox', 'Command line, URL or JSON').fill(JSON.stringify({ mcpServers: servers }))
      await open.inDialog('list', /^Servers: /).waitFor()
    },
    tools: async (open) => {
      await open.go('/tools')
      await open.get('region', 'Tools of everything').waitFor()
    },
    'a server': async (open) => {
      await open.go('/servers/everything')
      await open.sees('Select a tool')
    },
    'the resources of a server': async (open) => {
      await open.go('/servers/everything/resources')
      await open.press('Subscribe to startup.md')
      await open.get('list', 'Templates').waitFor()
    },
    'the prompts of a server': async (open) => {
      await open.go('/servers/everything/prompts')
      await open.get('list', 'Prompts').waitFor()
    },
    'the log of a server': async (open) => {
      await open.go('/servers/everything/log')
      await open.page.getByLabel('Log lines').waitFor()
    },
    'the messages of a server': async (open) => {
      await open.go('/servers/everything/protocol')
      await open.get('list', 'Messages').getByRole('button').first().click()
      await open.page.getByLabel('Message', { exact: true }).waitFor()
    },
    'the calls of a server': async (open) => {
      await open.go('/servers/everything/calls')
      await open
        .get('button', /get-sum/)
        .first()
        .waitFor()
    },
    'the settings of a server': async (open) => {
      await open.go('/servers/files/settings')
      await open.get('button', 'Edit').waitFor()
    },
    'about a server': async (open) => {
      await open.go('/servers/everything/about')
      await open.get('list', 'Capabilities').waitFor()
    },
    'a form of a server': async (open) => {
      await openTool('trigger-elicitation-request', open)
      await open.press('Run tool')
      await open.get('button', 'Send answer').click()
      await open.page.locator('[aria-invalid=true]').first().waitFor()
    },
    'a request of a server to the model': async (open) => {
      await openTool('trigger-sampling-request', open)
      await open.get('textbox', /^prompt/).fill('Hay?')
      await open.press('Run tool')
      await open.get('article', 'Asks for the model').waitFor()
    },
    'a tool': (open) => openTool('gzip-file-as-resource', open),
    'a tool that was run': async (open) => {
      await openTool('get-annotated-message', open)
      await open.get('combobox', /^messageType/).selectOption('success')
      await open.get('combobox', /^includeImage/).selectOption('Yes')
      await open.press('Run tool')
      await open.get('region', 'Result').waitFor()
    },
    'a tool with wrong arguments': async (open) => {
      await openTool('get-sum', open)
      await open.press('Run tool')
      await open.page.locator('[aria-invalid=true]').first().waitFor()
    },
    'a tool, as JSON': async (open) => {
      await openTool('get-sum', open)
      await open.get('radio', 'JSON').check()
      await open.page.getByText('JSON Schema').click()
    },
    calls: async (open) => {
      await open.go('/calls')
      await open.page.locator('button.call-head').first().waitFor()
      await open
        .get('img', /calls, \d+ error/)
        .first()
        .waitFor()
    },
    'a call': async (open) => {
      await open.go('/calls?server=files')
      await open
        .get('button', /Succeeded files/)
        .first()
        .click()
      await open.get('heading', 'Arguments').first().waitFor()
      await open
        .get('button', /error files/)
        .first()
        .click()
      await open.get('heading', 'Error').first().waitFor()
    },
    'no call': async (open) => {
      await open.go('/calls?text=nowhere')
      await open.sees('No call matches these filters')
    },
    'run again': async (open) => {
      await open.go('/calls?tool=get-sum')
      await open
        .get('button', /Succeeded everything/)
        .first()
        .click()
      await open.press('Run again')
      await open.inDialog('button', 'Run now').waitFor()
    },
    agent: async (open) => {
      await open.go('/agent')
      await open.page.locator('.tool-name', { hasText: 'get-sum' }).first().click()
      await open.get('row', /^What happened/).waitFor()
    },
    'agent after a change': async (open) => {
      await open.go('/agent')
      await open.get('radio', 'Auto').check()
      await open.sees(/will need fewer answers from you/)
      await open.get('row', /^After your changes/).waitFor()
    },
    'agent servers': async (open) => {
      await open.go('/agent?view=servers')
      await open.get('list', 'Servers of the agent').waitFor()
    },
    'agent model': async (open) => {
      await open.go('/agent?view=model')
      await open.get('textbox', 'System prompt').waitFor()
    },
    'agent limits': async (open) => {
      await open.go('/agent?view=limits')
      await open.get('textbox', 'Variables that commands keep').waitFor()
    },
    'review changes': async (open) => {
      await open.go('/agent')
      await open.get('radio', 'Auto').check()
      await open.press('Review changes')
      await open.inDialog('group', 'Difference').waitFor()
    },
    'revoke a grant': async (open) => {
      await open.go('/agent')
      await open.page.locator('tr', { hasText: 'your answer' }).locator('.tool-name').first().click()
      await open
        .get('button', /^Revoke/)
        .first()
        .click()
    },
    sessions: async (open) => {
      await open.go('/sessions')
      await open.get('list', 'Sessions').waitFor()
    },
    'a session': async (open) => {
      await open.go('/sessions')
      await open.get('link', /^What is in the plan/).click()
      await open.get('region', 'Turn 1').waitFor()
      await open.page.evaluate(`for (const closed of document.querySelectorAll('details')) closed.open = true`)
    },
    'delete a session': async (open) => {
      await open.go('/sessions')
      await open
        .get('button', /^Delete/)
        .first()
        .click()
    },
    'the keys': async (open) => {
      await open.go('/sessions')
      await open.get('list', 'Sessions').waitFor()
      await open.page.keyboard.press('?')
      await open.get('dialog', 'Keyboard shortcuts').waitFor()
    },
    'no such page': async (open) => {
      await open.go('/servers')
      await open.page.evaluate(`history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))`)
      await open.sees('Page not found')
    },
  }

  test.each(Object.keys(states))('%s: for everyone, light and dark, wide and narrow', async (name) => {
    await open.page.setViewportSize(wide)
    await open.page.emulateMedia({ colorScheme: 'light' })
    await states[name]?.(open)
    const found: Record<string, string[]> = {}
    for (const [view, size, colorScheme] of [
      ['light', wide, 'light'],
      ['dark', wide, 'dark'],
      ['narrow', narrow, 'light'],
    ] as const) {
      await open.page.setViewportSize(size)
      await open.page.emulateMedia({ colorScheme })
      found[view] = [...(await violations(open.page, view)), ...(await overflow(open.page))]
    }
    expect(found).toEqual({ light: [], dark: [], narrow: [] })
    expect(open.problems).toEqual([])
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

  test('a server is added: tested, its tools viewed, saved, and the focus returns', async () => {
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
    await page.getByRole('article', { name: 'notes' }).waitFor()
    await seen(async () => (await focusOf(page)).name).toBe('Add server')

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
