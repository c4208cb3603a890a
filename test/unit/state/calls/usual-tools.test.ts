import { expect, test } from 'vitest'
import { openState } from '../../../../packages/agent-api/src/state/open-state.ts'
import { text } from '../../../../packages/agent-api/src/messages/content.ts'
import { newSession, recordCall, type CallToRecord } from '../../../support/history-lab.ts'

const shop = (tool: string) => ({ server: 'shop', tool })

/** Each item is a session, with the tools that it called. */
async function usual(
  sessions: readonly (readonly string[])[],
  call: Partial<CallToRecord> = {},
  agent = 'default',
) {
  using history = openState()
  for (const [index, tools] of sessions.entries()) {
    const session = newSession(`session-${index}`)
    const log = history.sessions.log(session, { isStored: false })
    log.beginTurn([text('go')])
    for (const [place, tool] of tools.entries())
      await recordCall(history, {
        id: `${session.id}-${place}`,
        agent: session.agent,
        sessionId: session.id,
        turn: 1,
        end: 'success',
        ...shop(tool),
        ...call,
      })
    history.sessions.release(session.id)
  }
  const { cwd } = newSession('any')
  return history.calls.usualTools(agent, cwd)
}

const five = [['a', 'b'], ['a'], ['a', 'a', 'c'], ['a', 'b'], ['b', 'c']]

test.each<[string, Promise<readonly unknown[]>, readonly unknown[]]>([
  ['a tool that four of five sessions called', usual(five), [shop('a')]],
  ['two sessions do not show a habit', usual([['a'], ['a']]), []],
  ['three do', usual([['a'], ['a'], ['a', 'b']]), [shop('a')]],
  ['sessions without a call say nothing', usual([['a'], [], ['a'], [], ['a'], []]), [shop('a')]],
  ['calls that failed do not count', usual(five, { end: 'error' }), []],
  ['nor do local tools', usual(five, { server: null }), []],
  ['nor those of another agent', usual(five, {}, 'other'), []],
])('%s', async (_, found, expected) => expect(await found).toEqual(expected))
