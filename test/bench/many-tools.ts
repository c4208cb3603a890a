import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { keyOf, type ConsoleProcess } from '../console/console-process.ts'
import { fixtureServer } from '../support/agent-files.ts'

export interface SearchedPage {
  readonly name: string
  /** From the start of the navigation until the first tool is in the document, in milliseconds. */
  readonly firstToolMs: number
  /** From a key in the search field until the browser has painted its effect. The slowest of the keys, rounded by the browser to 8 ms. */
  readonly slowestKeyMs: number
}

/** A server may offer 2,000 tools. */
const servers = 5
const toolsPerServer = 2_000

const nouns = ['ticket', 'invoice', 'branch', 'horse', 'message', 'report', 'shipment', 'account']
const verbs = ['read', 'list', 'create', 'update', 'delete', 'search', 'archive', 'export']
const search = 'archive horse 1'

/** Ten thousand tools with the schemas and descriptions that servers usually have. */
function toTools(server: number): readonly object[] {
  return Array.from({ length: toolsPerServer }, (_, index) => {
    const [verb, noun] = [verbs[index % verbs.length], nouns[Math.floor(index / verbs.length) % nouns.length]]
    const text = { type: 'string', description: `The ${noun} that is meant, by its number or by its name` }
    return {
      name: `${verb}_${noun}_${server}_${index}`,
      description: `Use it to ${verb} one ${noun} or several of them. It returns each ${noun} with its fields, and an error if there is none.`,
      inputSchema: {
        type: 'object',
        properties: { [`${noun}`]: text, limit: { type: 'integer' }, filter: text },
        required: [noun],
      },
    }
  })
}

/** Connects servers with ten thousand tools, and searches them on each page that lists tools. */
export async function measureManyTools(
  browser: Browser,
  open: ConsoleProcess,
): Promise<readonly SearchedPage[]> {
  for (let server = 1; server <= servers; server++) {
    const list = join(open.home, `tools-${server}.json`)
    await writeFile(list, JSON.stringify(toTools(server)))
    const entry = {
      type: 'stdio',
      command: process.execPath,
      args: [fixtureServer('changing-server.mjs'), list],
    }
    const { json } = await open.ask('POST', '/api/servers', {
      confirmed: true,
      name: `many-${server}`,
      entry,
    })
    await open.ask('POST', `/api/servers/${json.id}/connect`, { confirmed: true })
  }
  await using context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: keyOf(open),
  })
  const page = await context.newPage()
  await page.addInitScript(`
    globalThis.keys = []
    new PerformanceObserver((list) => keys.push(...list.getEntries().filter(({ name }) => name === 'input' || name === 'keydown')))
      .observe({ type: 'event', durationThreshold: 16 })`)
  return [
    await measure(page, 'A server of 2 000 tools', `${open.origin}/servers/many-1`, '.tool-list a'),
    await measure(page, 'Tools, 10 000 of them', `${open.origin}/tools`, '.tool-list a'),
    await measure(page, 'Agent, 10 000 tools', `${open.origin}/agent`, '.tool-policy tbody tr:nth-child(20)'),
  ]
}

async function measure(page: Page, name: string, address: string, row: string): Promise<SearchedPage> {
  await page.goto(address)
  await page.locator(row).first().waitFor()
  const firstToolMs = await page.evaluate<number>('performance.now()')
  await page.getByRole('searchbox', { name: 'Search tools' }).click()
  await page.evaluate('keys.length = 0')
  await page.keyboard.type(search, { delay: 60 })
  for (const _ of search) await page.keyboard.press('Backspace', { delay: 60 })
  await page.waitForTimeout(500)
  // Without an entry, there is no delay that the browser reports.
  const slowestKeyMs = await page.evaluate<number>('Math.max(0, ...keys.map(({ duration }) => duration))')
  return { name, firstToolMs, slowestKeyMs }
}
