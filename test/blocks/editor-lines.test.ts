import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openAcpProcess } from '../support/acp-harness.ts'
import { openChildLoopMonitor, processWorkMaxMs } from '../support/loop-monitor.ts'
import { openTempDir } from '../support/temp-dir.ts'

const megabyte = 1024 * 1024
/** More than the largest picture that a vendor takes. */
const pictureChars = 7 * megabyte
/** The same for the text of a prompt. */
const textChars = 1.9 * megabyte
const peakBytesMax = 512 * megabyte

const words = 'The quick brown fox, at "/home/me/project", reads api_key=none; '
const text = words.repeat(textChars / words.length)

const prompts = {
  'a long text': [{ type: 'text', text }],
  'a large image': [
    { type: 'image', data: 'iVBORw0KGgo='.slice(0, 8).repeat(pictureChars / 8), mimeType: 'image/png' },
  ],
  'very many blocks': Array.from({ length: 12_000 }, () => ({ type: 'text', text: 'word '.repeat(60) })),
  'very many small values': [
    { type: 'text', text: 'hi', _meta: { list: Array.from({ length: 3_000_000 }, () => ({})) } },
  ],
}

test.each(Object.entries(prompts))(
  'a prompt with %s blocks nothing, twice, and neither does loading it',
  async (_, prompt) => {
    await using folder = await openTempDir()
    await using monitor = await openChildLoopMonitor()
    await using editor = await openAcpProcess({
      args: ['--model', 'offline', '--state-dir', folder.path],
      nodeArgs: monitor.nodeArgs,
    })
    await editor.initialize()
    const { sessionId } = await editor.newSession({ cwd: folder.path })
    await editor.prompt(sessionId, 'hello')
    await monitor.reset()
    for (let time = 0; time < 2; time++)
      await editor.request('session/prompt', { sessionId, prompt }).catch(() => undefined)
    const { sessionId: other } = await editor.newSession({ cwd: folder.path })
    await editor.request('session/close', { sessionId })
    await editor.request('session/load', { sessionId, cwd: folder.path, mcpServers: [] })
    await editor.prompt(other, 'hello')
    expect(await monitor.longestWorkMs()).toBeLessThan(processWorkMaxMs)
    expect(await peakBytes(editor.pid)).toBeLessThan(peakBytesMax)
  },
)

async function peakBytes(pid: number): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
