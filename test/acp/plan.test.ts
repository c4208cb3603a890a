import { describe, expect, test } from 'vitest'
import { loopbackKey, type ModelRequest, type Reply } from '../support/loopback-model/index.ts'
import { conversation, load, openSessionLab, seen } from '../support/acp-sessions.ts'
import { runCli } from '../support/run-cli.ts'
import { editors } from '../support/tool-session.ts'

const entries = [
  { content: 'Find the bug', status: 'completed', priority: 'high' },
  { content: 'Fix\u200b it\nwith care', status: 'in_progress' },
  { content: `Run the tests with ${loopbackKey}`, status: 'pending', priority: 'low' },
]
const shown = [
  { content: 'Find the bug', status: 'completed', priority: 'high' },
  { content: 'Fix it with care', status: 'in_progress', priority: 'medium' },
  { content: 'Run the tests with [redacted]', status: 'pending', priority: 'low' },
]

/** Sends a plan, replaces it by its first entry, and ends. */
const plans = (request: ModelRequest): Reply => {
  const results = request.messages
    .flatMap(({ parts }) => parts)
    .filter(({ type }) => type === 'tool_result').length
  if (results === 2) return { text: 'done' }
  return {
    toolCalls: [{ name: 'update_plan', args: { entries: results === 0 ? entries : entries.slice(0, 1) } }],
  }
}

describe.each(editors)('in an editor with %s', (_, capabilities) => {
  test('a plan is shown in full each time without a question, stored, and shown again by load', async () => {
    await using lab = await openSessionLab(plans)
    await using editor = await lab.open({ capabilities })
    const { sessionId } = await editor.newSession({ cwd: lab.path })
    await editor.prompt(sessionId, 'go')
    const updates = editor.updates(sessionId)
    expect(updates.filter(({ sessionUpdate }) => sessionUpdate === 'plan')).toEqual([
      { sessionUpdate: 'plan', entries: shown },
      { sessionUpdate: 'plan', entries: shown.slice(0, 1) },
    ])
    expect(updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'tool_call', title: 'Update the plan (1 of 3 done)' }),
    )
    expect(editor.permissionRequests()).toEqual([])
    const before = seen(editor, sessionId)

    await using other = await lab.open({ capabilities })
    const replayed = await load(other, { sessionId, cwd: lab.path })
    expect(conversation(replayed.updates)).toEqual(before)

    const { stdout } = await runCli(['sessions', 'show', sessionId, '--state-dir', lab.stateDir])
    expect(stdout).toContain('Plan:\n[x] Find the bug')
    expect(stdout).not.toContain('[>]')
  })
})

test('a plan that is too long, or not one, is refused with the reason', async () => {
  const bad = [
    { entries: Array.from({ length: 51 }, () => ({ content: 'x', status: 'pending' })) },
    { entries: [{ content: '', status: 'pending' }] },
    { entries: [{ content: 'x'.repeat(501), status: 'pending' }] },
    { entries: [{ content: 'x', status: 'done' }] },
    {},
  ]
  let next: unknown
  const script = (request: ModelRequest): Reply =>
    request.messages.at(-1)?.parts.at(-1)?.type === 'tool_result'
      ? { text: 'done' }
      : { toolCalls: [{ name: 'update_plan', args: next }] }
  await using lab = await openSessionLab(script)
  await using editor = await lab.open()
  const { sessionId } = await editor.newSession({ cwd: lab.path })
  for (next of bad) await editor.prompt(sessionId, 'go')
  const updates = editor.updates(sessionId)
  expect(updates.filter(({ sessionUpdate }) => sessionUpdate === 'plan')).toEqual([])
  expect(
    updates.filter((update) => update.sessionUpdate === 'tool_call_update' && update.status === 'failed'),
  ).toHaveLength(bad.length)
})
