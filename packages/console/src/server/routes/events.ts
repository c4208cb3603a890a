import type { ConsoleContext } from '../context.ts'
import type { Route } from '../http/route.ts'

export function eventRoutes({ live }: ConsoleContext): readonly Route[] {
  return [{ method: 'GET', path: '/api/events', handle: () => ({ type: 'events', source: live.source }) }]
}
