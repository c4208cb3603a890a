import { expect, test } from 'vitest'
import { formats, openScriptedSession, richServer, sumServer } from '../support/acp-scripted.ts'

/**
 * The requests that were recorded before schemas could wait. While the definitions of the session's tools fit their share of the window, they
 * are sent byte for byte as they were then.
 */
test.each(formats)(
  'below the share, requests in the format %s are those that were recorded',
  async (vendor) => {
    await using session = await openScriptedSession({
      vendor,
      agent: { mode: 'auto', systemPrompt: 'Be brief.', builtinTools: false },
      mcpServers: [sumServer(), richServer()],
      script: ({ messages }) =>
        messages.at(-1)?.role === 'tool'
          ? { text: 'done' }
          : { text: 'adding', toolCalls: [{ name: 'sums__add', args: { a: 1, b: 2 } }] },
    })
    for (const prompt of ['Add one and two', 'Once more'])
      await session.editor.prompt(session.sessionId, prompt)
    const bodies = session.model.requests.map(({ body }) => JSON.stringify(body, undefined, 1)).join('\n')
    const plain = bodies
      .replaceAll(session.cwd, '/cwd')
      .replaceAll(session.sessionId, 'SESSION')
      .replace(/When this session began[^"\\]*/g, 'FACTS')
      .replace(/"(?:id|call_id|tool_use_id|tool_call_id)": "[^"]*"/g, '"id": "ID"')
    await expect(plain).toMatchFileSnapshot(`../fixtures/requests/${vendor}.txt`)
  },
)
