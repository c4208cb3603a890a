import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Browser } from 'playwright-core'
import {
  keyOf,
  openConsoleProcess,
  type ConsoleProcess,
  type OpenConsole,
} from '../console/console-process.ts'
import { findChromium } from '../support/find-chromium.ts'
import { openTempDir } from '../support/temp-dir.ts'
import { createPast } from './create-past.ts'
import { measureLiveText } from './live-text.ts'
import { measureManyTools } from './many-tools.ts'
import { median, timed } from './measure.ts'

/**
 * Measures the console's page, a long list of calls, the rules applied to last week's calls, ten thousand tools, and text that streams:
 * `tsx test/bench/console.ts [calls]`, one million by default. A missed bar is marked, and sets the exit code.
 */
const callCount = Number(process.argv[2] ?? 1_000_000)
const rounds = 7
const scriptBarKb = 60
const paintBarMs = 1_000
const liveBarMs = 100
const keyBarMs = 100
const liveCoreBar = 5
const pageDir = join(import.meta.dirname, '../../packages/cli/dist/page')

/** Runs in the page before its own code: records when the first row of calls is painted, from the start of the navigation. */
const watchForRows = `
  globalThis.painted = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('button.call-head') === null) return requestAnimationFrame(look)
      // The frame with the row comes before the next one.
      requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => resolve(performance.now()); channel.port2.postMessage(0) })
    }
    requestAnimationFrame(look)
  })`

const executablePath = findChromium()
if (executablePath === undefined)
  throw new Error('there is no Chromium: install it, or name one in OSTLER_TEST_CHROMIUM')

console.log(
  `node ${process.version}, ${process.platform} ${process.arch}, ${callCount.toLocaleString('en')} calls\n`,
)
benchSizes()

await using folder = await openTempDir('ostler-bench-')
const built = createPast(callCount, Date.now()).build(folder.path)
console.log(`\nbuilt in ${(built.ms / 1_000).toFixed(0)} s, ${(built.bytes / 1024 ** 2).toFixed(0)} MiB\n`)
await using open = await openConsoleProcess({ stateDir: folder.path })
const browser = await chromium.launch({
  executablePath,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
await benchPaint(browser, open, 'Calls, the first row painted', '/calls')
await benchPaint(browser, open, 'Calls of one server that failed', '/calls?server=server-17&status=error')
await benchPaint(browser, open, 'Calls, a word looked for', '/calls?text=project')
await benchReplay(open)
await benchLiveText(browser, open)
await using other = await openConsoleProcess()
await benchManyTools(browser, other)
await browser.close()

/** A page needs its own chunk and the two that all pages need. */
function benchSizes(): void {
  const assets = join(pageDir, 'assets')
  const sizes = readdirSync(assets).map((name) => ({
    name,
    bytes: gzipSync(readFileSync(join(assets, name))).length,
  }))
  const sumOf = (fits: RegExp) =>
    sizes.filter(({ name }) => fits.test(name)).reduce((sum, { bytes }) => sum + bytes, 0)
  const pages = sizes
    .filter(({ name }) => name.includes('-page-'))
    .toSorted((one, other) => other.bytes - one.bytes)
  const largest = pages[0] ?? { name: '', bytes: NaN }
  const note = `${largest.name.replace(/-page-.*/, '')}; all code ${(sumOf(/[.]js$/) / 1_000).toFixed(1)} kB`
  report(
    'js of the largest page, gzipped',
    (sumOf(/^(index|shared)-.*[.]js$/) + largest.bytes) / 1_000,
    scriptBarKb,
    'kB',
    note,
  )
  report('css, gzipped', sumOf(/[.]css$/) / 1_000, Infinity, 'kB')
}

/** The verdicts of the rules on the calls of the last seven days. The page of the agent asks for them after each change. */
async function benchReplay(open: ConsoleProcess): Promise<void> {
  const times: number[] = []
  let [calls, isPart] = [0, false]
  // Another request must not wait for it.
  const others: number[] = []
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    const replay = open.ask('POST', '/api/policy/replay', {})
    let isOver = false
    void replay.finally(() => (isOver = true))
    while (!isOver) others.push(await timed(() => open.ask('GET', '/api/about')))
    ;({ calls, isPart } = (await replay).json)
    times.push(performance.now() - started)
  }
  report(
    'Last week, by the rules of now',
    median(times),
    Infinity,
    'ms',
    `${calls.toLocaleString('en')} calls${isPart ? ', a part' : ''}`,
  )
  report('Another request at that time, at worst', Math.max(...others), keyBarMs, 'ms')
}

async function benchManyTools(browser: Browser, open: ConsoleProcess): Promise<void> {
  for (const { name, firstToolMs, slowestKeyMs } of await measureManyTools(browser, open)) {
    report(`${name}: the first row`, firstToolMs, paintBarMs, 'ms')
    report(`${name}: a key, at worst`, slowestKeyMs, keyBarMs, 'ms')
  }
}

async function benchLiveText(browser: Browser, open: ConsoleProcess): Promise<void> {
  const { delays, consoleCore } = await measureLiveText(browser, open)
  const sorted = delays.toSorted((one, other) => one - other)
  report(
    'Streamed text, from editor to page',
    median(delays),
    liveBarMs,
    'ms',
    `95 of 100 in ${sorted[Math.floor(sorted.length * 0.95)]}`,
  )
  report('The console while text streams', consoleCore, liveCoreBar, '% of a core')
}

/** A new browser context, with an empty cache. */
async function benchPaint(
  browser: Browser,
  { origin, authorization }: OpenConsole,
  what: string,
  path: string,
): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await using context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      storageState: keyOf({ origin, authorization }),
    })
    const page = await context.newPage()
    await page.addInitScript(watchForRows)
    await page.goto(`${origin}${path}`)
    times.push(await page.evaluate<number>('globalThis.painted'))
  }
  report(
    what,
    median(times),
    paintBarMs,
    'ms',
    `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}, the first ${times[0]?.toFixed(0)}`,
  )
}

function report(what: string, value: number, bar: number, unit: string, note = ''): void {
  const isMet = value < bar
  if (!isMet) process.exitCode = 1
  const shownBar = bar === Infinity ? '' : `(bar ${bar.toLocaleString('en')})`
  console.log(
    `${what.padEnd(40)}${value.toFixed(1).padStart(9)} ${unit}  ${shownBar.padEnd(12)}${isMet ? '' : 'NOT MET  '}${note}`,
  )
}
