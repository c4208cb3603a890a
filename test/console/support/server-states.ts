import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { seen, type ConsolePage } from './browser.ts'
import type { Reach } from './page-states.ts'

const openTool = async (tool: string, { go, get }: ConsolePage) => {
  await go(`/servers/everything?tool=${tool}`)
  await get('heading', 'Try it').waitFor()
}
const card = ({ page }: ConsolePage, name: string) => page.getByRole('article', { name, exact: true })

/** The states of the pages of servers and tools in a furnished console, and the way to each. */
export const serverStates: Readonly<Record<string, Reach>> = {
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
    await open.page.evaluate(
      `for (const closed of document.querySelectorAll('dialog details')) closed.open = true`,
    )
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
  'add, before anything is pasted': async (open, { console }) => {
    await mkdir(join(console.home, '.cursor'), { recursive: true })
    await writeFile(
      join(console.home, '.cursor/mcp.json'),
      JSON.stringify({ mcpServers: { found: { command: 'true' } } }),
    )
    await open.go('/servers')
    await open.press('Add server')
    await open.inDialog('textbox', 'Command line, URL or JSON').waitFor()
    await open.sees('Found on this computer')
    await open.page.evaluate(
      `for (const closed of document.querySelectorAll('dialog details')) closed.open = true`,
    )
    await open.inDialog('button', 'Add and connect found').waitFor()
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
    const servers = {
      files: { command: 'true' },
      one: { command: 'npx', args: ['-y', 'x'.repeat(80)], env: { KEY: 'x' } },
      odd: 3,
    }
    await open.inDialog('textbox', 'Command line, URL or JSON').fill(JSON.stringify({ mcpServers: servers }))
    await open.inDialog('list', /^Servers: /).waitFor()
  },
  tools: async (open) => {
    await open.go('/tools')
    await open.get('region', 'Tools of everything').waitFor()
  },
  'a tool that was searched': async (open) => {
    await open.go('/tools')
    await open.get('searchbox', 'Search tools').fill('sum')
    await seen(() => open.get('main').getByRole('listitem').count()).toBeLessThan(10)
  },
  'a server that failed': async (open) => {
    await open.go('/servers/tickets')
    await open.get('region', 'State').waitFor()
    await open.get('main').getByRole('button', { name: 'Connect' }).first().click()
    await open.get('alert').waitFor()
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
    await open.get('article', 'Asks to use your model').waitFor()
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
}
