import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { keyOf, type ConsoleProcess } from '../console/console-process.ts'
import { openAcpProcess } from '../support/acp-process.ts'
import { startLoopbackModel } from '../support/loopback-model/index.ts'

export interface LiveText {
  /** From the moment at which the editor has a word until the page of the session shows it, in milliseconds. */
  readonly delays: readonly number[]
  /** The share of one core that the console's process took while the text streamed, in percent. */
  readonly consoleCore: number
}

const words = Array.from({ length: 200 }, (_, index) => `word${index} `)
/** Twenty pieces a second, as models send them. */
const betweenWordsMs = 50
/** The units in which Linux counts the time of a process. */
const ticksPerSecond = 100

/** Runs in the page: records when each word appears in the document. */
const watchForWords = `
  globalThis.seenAt = []
  new MutationObserver(() => {
    const found = /word(\\d+) (?!.*word\\d+ )/s.exec(document.body.textContent)
    if (found === null) return
    for (let index = globalThis.seenAt.length; index <= Number(found[1]); index++) globalThis.seenAt.push(Date.now())
  }).observe(document, { childList: true, subtree: true, characterData: true })`

/** Streams an answer into an editor, and follows it on the session's page. */
export async function measureLiveText(
  browser: Browser,
  { origin, authorization, stateDir, child, home }: ConsoleProcess,
): Promise<LiveText> {
  await using model = await startLoopbackModel({
    vendor: 'anthropic',
    script: () => ({ text: words, delayMs: betweenWordsMs }),
  })
  const file = join(home, 'live.yaml')
  await writeFile(file, `model: ${model.modelId}\n`)
  await using editor = await openAcpProcess({
    args: ['--agent', file, '--state-dir', stateDir],
    env: model.env,
  })
  await editor.initialize()
  const { sessionId } = await editor.newSession({ cwd: home, mcpServers: [] })
  await using context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: keyOf({ origin, authorization }),
  })
  const page = await context.newPage()
  await page.addInitScript(watchForWords)

  const toldAt: number[] = []
  let told = ''
  editor.child.stdout?.on('data', (bytes: Buffer) => {
    for (const [, text = ''] of bytes.toString().matchAll(/"text":"([^"]*)"/g)) told += text
    const count = told.match(/word\d+ /g)?.length ?? 0
    while (toldAt.length < count) toldAt.push(Date.now())
  })
  const prompt = editor.prompt(sessionId, 'Talk')
  await page.goto(`${origin}/sessions/${sessionId}`)
  await page.getByText('word40 ').waitFor()
  const first = await page.evaluate<number>('globalThis.seenAt.length')
  const [cpuBefore, before] = [cpuSeconds(child.pid), performance.now()]
  await prompt
  const consoleCore = ((cpuSeconds(child.pid) - cpuBefore) / ((performance.now() - before) / 1_000)) * 100
  await page.getByText(`word${words.length - 1}`).waitFor()
  const seenAt = await page.evaluate<number[]>('globalThis.seenAt')
  return { delays: seenAt.map((at, index) => at - (toldAt[index] ?? NaN)).slice(first), consoleCore }
}

/** User and system time, which Linux shows after the name of the program. */
function cpuSeconds(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}
