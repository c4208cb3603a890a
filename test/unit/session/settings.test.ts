import { expect, it } from 'vitest'
import { createSettings } from '../../../packages/agent-api/src/session/settings.ts'

it('stores a change and reports the differences, and nothing else', () => {
  const events: unknown[] = []
  const log = { set: (changes: object) => events.push(changes) }
  const settings = createSettings({ title: null, model: 'offline', mode: 'auto', thoughtLevel: 'default' }, log, (what) =>
    events.push(what),
  )
  settings.change({ title: null, mode: 'auto' })
  expect(events).toEqual([])
  settings.change({ title: 'first', model: 'other' })
  expect(events).toEqual([{ title: 'first', model: 'other' }, 'title', 'model'])
  expect(settings.current).toMatchObject({ title: 'first', model: 'other', mode: 'auto' })
})
