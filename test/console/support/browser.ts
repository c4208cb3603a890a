import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core'
import { expect, inject } from 'vitest'
import { keyOf, type OpenConsole } from '../console-process.ts'

/** Timeout for things that should happen at once, even on a busy machine. */
export const waitMsMax = 20_000

/** A host name that leads to this machine, in the tests' browser only. */
export const reboundHost = 'rebound.example'

const executable = inject('chromium')
let opening: Promise<Browser> | undefined

/** Opens one browser for all files that a process runs, on demand. It ends with the process. */
export function openBrowser(): Promise<Browser> {
  return (opening ??= chromium.launch({
    executablePath: executable ?? '',
    // Chromium does not run as root with its sandbox.
    args: [
      '--disable-gpu',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--host-resolver-rules=MAP ${reboundHost} 127.0.0.1`,
    ],
  }))
}

/**
 * The console in a logged-in browser. On disposal it fails on anything that must never happen: a request to another origin, a dialog, a
 * page error, or injected code that ran.
 */
export interface ConsolePage extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** Leads to a page of the console, and discards what was typed or opened. Only the first one is loaded; `reload` loads it again. */
  go(path: string): Promise<void>
  /** Finds elements by role and name. */
  get(role: Role, name?: string | RegExp): Locator
  /** Finds elements in the topmost dialog. */
  inDialog(role: Role, name?: string | RegExp): Locator
  press(name: string | RegExp): Promise<void>
  /** Waits until a text is visible. */
  sees(text: string | RegExp): Promise<void>
  /** The problems so far. */
  readonly problems: readonly string[]
}

export type Role = Parameters<Page['getByRole']>[0]

export async function openConsolePage(
  console: OpenConsole,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  const browser = await openBrowser()
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    reducedMotion: 'reduce',
    storageState: keyOf(console),
    ...options,
  })
  context.setDefaultTimeout(waitMsMax)
  await context.addInitScript(settleSoon)
  const problems = watch(context, console.origin)
  const page = await context.newPage()
  const get: ConsolePage['get'] = (role, text) => page.getByRole(role, nameOf(text))
  return {
    page,
    context,
    problems,
    get,
    inDialog: (role, text) => page.getByRole('dialog').last().getByRole(role, nameOf(text)),
    go: async (path) => {
      if (!(await page.evaluate(turnTo, path))) await page.goto(`${console.origin}${path}`)
    },
    press: (text) => get('button', text).click(),
    sees: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
    async [Symbol.asyncDispose]() {
      const ran = await Promise.all(
        context.pages().map((open) => open.evaluate('globalThis.__xss').catch(() => undefined)),
      )
      await context.close()
      for (const fields of ran)
        if (fields !== undefined) problems.push(`ran what it was given in ${String(fields)}`)
      if (problems.length > 0) throw new Error(`the page did what it must never do:\n${problems.join('\n')}`)
    },
  }
}

/** Polls until the expectation is met. */
export function seen(look: () => unknown): ReturnType<typeof expect.poll> {
  return expect.poll(look, { timeout: waitMsMax, interval: 50 })
}

/**
 * Runs in the browser. Buttons that answer ignore presses for 500 ms after they moved, so each dialog would take that long. With a clock of
 * its own (`page.clock`), a page waits as in a person's browser.
 */
function settleSoon(): void {
  const wait = setTimeout
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms?: number, ...args: unknown[]) =>
      wait(run, ms === 500 ? 10 : ms, ...args),
  })
}

/**
 * Runs in the browser. Turns to another page as the console's own links do, which takes a fifth of the time of a load. The page that nobody
 * has is shown in between, so that nothing of the page before is left. Returns false where the console is not loaded.
 */
async function turnTo(path: string): Promise<boolean> {
  if (document.querySelector('#page') === null) return false
  for (const next of ['/nowhere', path]) {
    history.pushState(null, '', next)
    dispatchEvent(new PopStateEvent('popstate'))
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  return true
}

function nameOf(text: string | RegExp | undefined) {
  return text === undefined ? {} : { name: text, exact: typeof text === 'string' }
}

function watch(context: BrowserContext, origin: string): string[] {
  const problems: string[] = []
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && !['data:', 'blob:'].includes(url.protocol))
      problems.push(`asked for ${request.url()}`)
  })
  context.on('dialog', (dialog) => {
    // The browser's own question before unsaved changes are discarded.
    if (dialog.type() !== 'beforeunload') problems.push(`opened a dialog: ${dialog.message()}`)
    void dialog.accept()
  })
  context.on('weberror', (error) => problems.push(`failed: ${error.error().stack}`))
  context.on('console', (message) => {
    // The browser reports responses other than 200 itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(`said: ${message.text()}`)
  })
  return problems
}
