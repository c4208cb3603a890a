import { describe, expect, it, test } from 'vitest'
import { formats, openScriptedSession, type ScriptedSession } from '../support/acp-scripted.ts'
import { textOf } from '../support/loopback-model/script.ts'

function thoughts({ editor, sessionId }: ScriptedSession) {
  return editor.updates(sessionId).flatMap((update) => {
    return update.sessionUpdate === 'agent_thought_chunk' && update.content.type === 'text'
      ? [update.content.text]
      : []
  })
}

describe.concurrent.each(formats)('a model in the format %s', (vendor) => {
  it.each([
    ['600', '10 minutes'],
    ['7200', '2 hours'],
  ])('that asks for a longer wait than the limit (%s s) ends the turn', async (seconds, shown) => {
    await using session = await openScriptedSession({
      vendor,
      script: [{ status: 429, headers: { 'retry-after': seconds } }],
    })
    await session.editor.prompt(session.sessionId, 'go')
    expect(session.editor.text(session.sessionId)).toMatch(
      new RegExp(`rate-limiting requests \\(429\\)\\..* Try again in ${shown}\\.$`),
    )
  })

  it('can be cancelled while it is waited for', async () => {
    await using session = await openScriptedSession({
      vendor,
      script: [{ status: 429, headers: { 'retry-after': '50' } }],
    })
    const { editor, sessionId } = session
    const answered = editor.prompt(sessionId, 'go')
    await editor.waitForUpdate(sessionId, 'agent_thought_chunk')
    expect(thoughts(session).join('')).toMatch(/\(429\).* Retrying in 5\d s\.$/)
    editor.notify('session/cancel', { sessionId })
    expect(await answered).toEqual({ stopReason: 'cancelled' })
    expect(session.model.requests).toHaveLength(1)
  })

  it('that answers nothing is asked once more', async () => {
    await using session = await openScriptedSession({ vendor, script: [{}, { text: 'hello' }] })
    await session.editor.prompt(session.sessionId, 'go')
    expect(session.editor.text(session.sessionId)).toBe('hello')
    expect(session.model.requests[1]?.body).toEqual(session.model.requests[0]?.body)
  })

  it('that answers nothing twice is reported, and the session continues', async () => {
    await using session = await openScriptedSession({
      vendor,
      script: [{}, { thoughts: 'Hm.' }, { text: 'hello' }],
    })
    const { editor, sessionId } = session
    expect(await editor.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
    expect(editor.text(sessionId)).toMatch(/ sent an empty answer twice\.$/)
    await editor.prompt(sessionId, 'again')
    expect(editor.text(sessionId)).toMatch(/hello$/)
    // Thoughts alone are not an answer, so the two prompts must be kept apart.
    const { messages = [] } = session.model.requests.at(-1) ?? {}
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(textOf(messages[1])).toBe('[This message was not answered: the request failed or was cancelled.]')
  })
})

describe('Gemini', () => {
  const quota = (quotaId: string, retryDelay?: string) => ({
    error: {
      code: 429,
      message: 'You exceeded your current quota, please check your plan and billing details.',
      status: 'RESOURCE_EXHAUSTED',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] },
        ...(retryDelay === undefined
          ? []
          : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }]),
      ],
    },
  })

  test('a quota per minute is waited for as long as the vendor says', async () => {
    const errorBody = quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '0.1s')
    await using session = await openScriptedSession({
      vendor: 'google',
      script: [{ status: 429, errorBody }, { text: 'hello' }],
    })
    await session.editor.prompt(session.sessionId, 'go')
    expect(session.editor.text(session.sessionId)).toBe('hello')
  })

  test.each([
    ['a quota per day', quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '1.5s')],
    ['a quota that does not recover', quota('GenerateContentPaidTierInputTokens')],
  ])('%s ends the turn at once', async (_, errorBody) => {
    await using session = await openScriptedSession({
      vendor: 'google',
      script: [{ status: 429, errorBody }],
    })
    await session.editor.prompt(session.sessionId, 'go')
    expect(session.editor.text(session.sessionId)).toMatch(
      /\(429\)\. It said: You exceeded your current quota/,
    )
    expect(session.model.requests).toHaveLength(1)
  })

  test('after a malformed call, the model is asked once more, then the failure is reported', async () => {
    await using session = await openScriptedSession({
      vendor: 'google',
      script: [
        { stop: 'malformed' },
        { text: 'hello' },
        { stop: 'malformed' },
        { stop: 'malformed' },
        { text: 'bye' },
      ],
    })
    const { editor, sessionId } = session
    await editor.prompt(sessionId, 'one')
    expect(editor.text(sessionId)).toBe('hello')
    await editor.prompt(sessionId, 'two')
    expect(editor.text(sessionId)).toMatch(/the model wrote a tool call that is not valid\.$/)
    await editor.prompt(sessionId, 'three')
    expect(editor.text(sessionId)).toMatch(/bye$/)
    expect(session.model.requests).toHaveLength(5)
  })
})
