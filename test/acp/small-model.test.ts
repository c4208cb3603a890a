import { describe, expect, it } from 'vitest'
import { formats, openScriptedSession, type ScriptedSession } from '../support/acp-scripted.ts'
import { textOf } from '../support/loopback-model/script.ts'

const small = {
  anthropic: 'anthropic/claude-haiku-4-5',
  'openai-responses': 'openai/gpt-5.4-mini',
  google: 'google/gemini-3.5-flash-lite',
  openai: 'openai/gpt-4.1-mini',
}

function titles({ editor, sessionId }: ScriptedSession) {
  return editor
    .updates(sessionId)
    .flatMap((update) => (update.sessionUpdate === 'session_info_update' ? [update.title] : []))
}

describe.each(formats)('the small model in the format %s', (vendor) => {
  const isSmall = ({ model }: { readonly model: string }) => small[vendor].endsWith(model)

  it('writes the title of a session, once', async () => {
    await using session = await openScriptedSession({
      vendor,
      agent: { smallModel: small[vendor] },
      script: (request) => ({ text: isSmall(request) ? '**"Broken sign-in."**\nI hope it helps' : 'hello' }),
    })
    const { editor, sessionId, model } = session
    await editor.prompt(sessionId, 'The sign-in page fails with a 500 since yesterday, can you look?')
    await editor.prompt(sessionId, 'And now?')
    const asked = model.requests.filter(isSmall)
    expect(asked).toHaveLength(1)
    expect(asked[0]?.tools).toEqual([])
    expect(textOf(asked[0]?.messages[0])).toContain('The sign-in page fails')
    expect(titles(session)).toEqual([
      'The sign-in page fails with a 500 since yesterday, can you look?',
      'Broken sign-in.',
    ])
    expect(editor.text(sessionId)).toBe('hellohello')
  })

  it('that fails or answers nothing leaves the title as it is, and the prompt is answered', async () => {
    await using session = await openScriptedSession({
      vendor,
      agent: { smallModel: small[vendor] },
      script: (request) =>
        isSmall(request) ? { status: 400, errorMessage: 'no such model' } : { text: 'hello' },
    })
    expect(await session.editor.prompt(session.sessionId, 'Fix it')).toEqual({ stopReason: 'end_turn' })
    expect(titles(session)).toEqual(['Fix it'])
  })
})

it('without a small model, only the session asks its model', async () => {
  await using session = await openScriptedSession({ script: () => ({ text: 'hello' }) })
  await session.editor.prompt(session.sessionId, 'Fix it')
  expect(session.model.requests).toHaveLength(1)
  expect(titles(session)).toEqual(['Fix it'])
})
