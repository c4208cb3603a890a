import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openConsolePage, type ConsolePage } from '../support/browser.ts'
import { openSession, type ConsoleLab } from '../support/console-lab.ts'
import { gateIsMended, openFurnishedLab } from '../support/furnish.ts'

/** Only `test/scripts/picture-console.ts` runs this file. It names the folder for the pictures of docs/console.md. */
const keptIn = process.env['OSTLER_PICTURES'] ?? ''
const bytesMax = 200_000

let lab: ConsoleLab
const editors = new AsyncDisposableStack()
beforeAll(async () => {
  if (inject('chromium') === undefined) return
  lab = await openFurnishedLab()
  await mkdir(keptIn, { recursive: true })
})
afterAll(async () => {
  await editors.disposeAsync()
  await lab?.[Symbol.asyncDispose]()
})

const pictures: Readonly<Record<string, (open: ConsolePage) => Promise<unknown>>> = {
  servers: async (open) => {
    await open.go('/servers')
    await open.page.getByRole('article', { name: 'tickets' }).waitFor()
  },
  'add-server': async (open) => {
    await open.go('/servers')
    await open.press('Add server')
    await open.inDialog('button', 'Fill in a form').click()
    await open.inDialog('textbox', /^Name/).fill('sums')
    await open.inDialog('textbox', /^Command/).fill('mcp-server-everything')
    await open.inDialog('textbox', 'Arguments').fill('stdio')
    await open.inDialog('button', 'Test connection').click()
    await open.inDialog('list', 'Discovered tools').waitFor()
  },
  tools: async (open) => {
    await open.go('/servers/everything?tool=get-annotated-message')
    await open.get('combobox', /^messageType/).selectOption('success')
    await open.get('combobox', /^includeImage/).selectOption('Yes')
    await open.press('Run tool')
    await open.get('region', 'Result').getByRole('img').waitFor()
    await open.page.evaluate('scrollTo(0, 0)')
  },
  calls: async (open) => {
    await open.go('/calls')
    await open
      .get('img', /calls, \d+ error/)
      .first()
      .waitFor()
    await open
      .get('button', /Succeeded files/)
      .first()
      .click()
    await open.get('heading', 'Arguments').waitFor()
  },
  agent: async (open) => {
    await open.go('/agent')
    await open.get('row', /^What happened/).waitFor()
  },
  questions: async (open) => {
    const editor = await lab.startEditor({ onPermission: () => new Promise(() => {}) })
    editors.use(editor)
    const session = await openSession(editor, lab)
    editor.prompt(session, gateIsMended).catch(() => undefined)
    await open.go('/questions')
    await open.page.getByRole('group', { name: 'Answers', disabled: false }).waitFor()
    await open.get('status').getByText('Waiting for you').waitFor({ state: 'detached' })
  },
  sessions: async (open) => {
    await open.go('/sessions')
    await open.get('link', /^What is in the plan/).click()
    await open.get('region', 'Turn 1').locator('summary').filter({ hasText: 'read_text_file' }).click()
  },
}

test.each(Object.keys(pictures))('a picture of %s, light and dark', async (name) => {
  await using open = await openConsolePage(lab.console)
  await pictures[name]?.(open)
  for (const colorScheme of ['light', 'dark'] as const) {
    await open.page.emulateMedia({ colorScheme })
    await open.page.evaluate(moved(lab.path, '/home/ada'))
    const path = join(keptIn, `${name}-${colorScheme}.png`)
    await open.page.screenshot({ path, animations: 'disabled' })
    expect(statSync(path).size).toBeGreaterThan(10_000)
    expect(statSync(path).size).toBeLessThan(bytesMax)
  }
})

/** Runs in the browser. Hides where this machine keeps temporary files. */
function moved(from: string, to: string): string {
  return `(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode() !== null) walker.currentNode.data = walker.currentNode.data.replaceAll(${JSON.stringify(from)}, ${JSON.stringify(to)})
  })()`
}
