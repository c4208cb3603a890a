import { expect, it } from 'vitest'
import { silentLogger } from '../../../packages/agent-api/src/base/logger.ts'
import type { Person } from '../../../packages/agent-api/src/policy/question.ts'
import { createPerson } from '../../../packages/agent-api/src/session/person.ts'
import type { SharedParts } from '../../../packages/agent-api/src/session/session.ts'
import type { OpenedRecord } from '../../../packages/agent-api/src/session/session-record.ts'
import { openState } from '../../../packages/agent-api/src/state/open-state.ts'

it.each<[Person['asks'], boolean, boolean]>([
  [undefined, false, false],
  [['call', 'form', 'page'], true, false],
  [['call', 'login'], false, true],
])('a person who answers %j sees forms: %s, is offered logins: %s', (asks, seesForms, seesLogins) => {
  using state = openState()
  const person = {
    approval: { mode: 'auto', trustedTools: [], reads: 'allow' },
    grants: state.servers.grants('default'),
    logins: undefined,
    openLoginOffers: new Map(),
    stateDir: undefined,
  } as const
  const agent = {
    name: 'default',
    person,
    project: { home: undefined },
    tools: { builtin: {} },
    state,
    logger: silentLogger,
  }
  const here: Person = { asks, ask: async () => ({ verdict: 'cancelled' }) }
  const record = { id: 's', calls: () => state.calls.recorder({ agent: 'default' }) }
  const created = createPerson(
    agent as unknown as SharedParts,
    { cwd: '/', person: here },
    record as unknown as OpenedRecord,
  )
  expect(created).toMatchObject({ seesForms })
  expect(created.loginOffers !== undefined).toBe(seesLogins)
})
