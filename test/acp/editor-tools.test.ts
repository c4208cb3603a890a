import { builtinToolNames } from '@ostler/agent-api/internal'
import type { ClientCapabilities } from '@agentclientprotocol/sdk'
import { expect, test } from 'vitest'
import { openScriptedSession } from '../support/acp-scripted.ts'

const files = { readTextFile: true, writeTextFile: true }

test.each<[string, ClientCapabilities, string[]]>([
  ['nothing', {}, []],
  ['files', { fs: files }, []],
  ['terminals', { terminal: true }, []],
  ['forms', { elicitation: { form: {} } }, ['ask_person']],
  ['everything', { fs: files, terminal: true, elicitation: { form: {} } }, ['ask_person']],
  ['links', { elicitation: { url: {} } }, []],
])('an editor that can do %s has the built-in tools, and its own', async (_, capabilities, names) => {
  await using session = await openScriptedSession({ script: [{ text: 'hi' }], capabilities })
  await session.editor.prompt(session.sessionId, 'hi')
  expect(session.model.requests[0]?.tools.map(({ name }) => name)).toEqual([...builtinToolNames, ...names])
})
