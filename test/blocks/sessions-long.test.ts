import { readFile } from 'node:fs/promises'
import { setImmediate as nextTask } from 'node:timers/promises'
import { openState } from '@ostler/agent-api/internal'
import { expect, it } from 'vitest'
import { openAcpProcess } from '../support/acp-harness.ts'
import { load } from '../support/acp-sessions.ts'
import { newSession } from '../support/history-lab.ts'
import { openChildLoopMonitor, processWorkMaxMs } from '../support/loop-monitor.ts'
import { openTempDir } from '../support/temp-dir.ts'

const megabyte = 1024 * 1024
/** Size of the model's messages. The editor's events are as large again. */
const conversationBytes = 30 * megabyte
const turns = 300
const usage = { inputTokens: 0, outputTokens: 0, contextUsed: 0, contextSize: 0 }
const text = 'a word '.repeat(conversationBytes / turns / 7)

/** Creates a session of 60 MB: each turn has a call with a long result. */
async function fill(stateDir: string): Promise<void> {
  using history = openState({ stateDir })
  const log = history.sessions.log(newSession('long'), { isStored: false })
  for (let turn = 1; turn <= turns; turn++) {
    const id = `call_${turn}`
    log.beginTurn([{ type: 'text', text: `question ${turn}` }])
    log.message({ role: 'user', id: `u${turn}`, content: [{ type: 'text', text: `question ${turn}` }] })
    log.message({
      role: 'assistant',
      id: `a${turn}`,
      parts: [{ type: 'tool_call', id, wireName: 'read', input: '{}' }],
    })
    log.event({
      type: 'tool_call',
      call: { id, wireName: 'read', title: 'read', kind: 'read', rawInput: {}, locations: [] },
    })
    const content = [{ type: 'text', text }] as const
    log.event({ type: 'tool_call_update', id, update: { status: 'completed', content } })
    log.message({
      role: 'tool',
      results: [
        { id, wireName: 'read', ref: undefined, outcome: 'success', result: { isError: false, content } },
      ],
    })
    log.event({ type: 'turn_end', stopReason: 'end_turn', usage })
    await nextTask()
  }
}

it('a session of 60 MB is loaded in pieces: nothing else waits, and little memory is needed', async () => {
  await using folder = await openTempDir()
  await fill(folder.path)
  await using monitor = await openChildLoopMonitor()
  await using editor = await openAcpProcess({
    args: ['--model', 'offline', '--state-dir', folder.path],
    nodeArgs: monitor.nodeArgs,
  })
  await editor.initialize()
  await editor.newSession({ cwd: folder.path })
  await editor.request('session/list', {})
  await monitor.reset()
  const before = await peakBytes(editor.pid)
  const { updates } = await load(editor, { sessionId: 'long', cwd: folder.path })
  expect(updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')).toHaveLength(turns)
  const blockedMs = await monitor.longestWorkMs()
  const grownBytes = (await peakBytes(editor.pid)) - before
  expect(blockedMs).toBeLessThan(processWorkMaxMs)
  expect(grownBytes).toBeLessThan(8 * conversationBytes)
})

async function peakBytes(pid: number): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
