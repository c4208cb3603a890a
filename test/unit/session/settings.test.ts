import { expect, it } from 'vitest'
import { createSettings } from '../../../packages/agent-api/src/session/settings.ts'
import { newSession } from '../../support/history-lab.ts'

it('stores a change and reports the differences, and nothing else', () => {
  const events: unknown[] = []
  const log = {
    session: newSession('one', { title: null, model: 'gone', turns: 2, additionalDirectories: ['/stored'] }),
    set(changes: object) {
      events.push(changes)
      log.session = { ...log.session, ...changes }
    },
  }
  const applied = {
    model: 'offline',
    mode: 'auto',
    thoughtLevel: 'default',
    additionalDirectories: ['/asked'],
  } as const
  const settings = createSettings(log, applied, (what) => events.push([what, settings.current[what]]))
  expect(settings.current).toMatchObject({ ...applied, title: null, turns: 2 })
  settings.change({ title: null, mode: 'auto' })
  expect(events).toEqual([])
  settings.change({ title: 'first', model: 'other' })
  expect(events).toEqual([{ title: 'first', model: 'other' }, ['title', 'first'], ['model', 'other']])
  expect(settings.current).toMatchObject({ ...applied, title: 'first', model: 'other' })
})
