import type { ConsoleContext } from '../context.ts'
import type { Route } from '../http/route.ts'
import { aboutRoutes } from './about.ts'
import { agentRoutes } from './agent.ts'
import { callRoutes } from './calls.ts'
import { importRoutes } from './import.ts'
import { patternRoutes } from './patterns.ts'
import { policyRoutes } from './policy.ts'
import { questionRoutes } from './questions.ts'
import { serverConnectionRoutes } from './server-connections.ts'
import { serverLoginRoutes } from './server-logins.ts'
import { serverRoutes } from './servers.ts'
import { serverWatchRoutes } from './server-watch.ts'
import { sessionRoutes } from './sessions.ts'

function eventRoutes({ live }: ConsoleContext): readonly Route[] {
  return [{ method: 'GET', path: '/api/events', handle: () => ({ type: 'events', source: live.source }) }]
}

export function allRoutes(context: ConsoleContext): readonly Route[] {
  return [
    aboutRoutes,
    serverRoutes,
    serverConnectionRoutes,
    serverLoginRoutes,
    serverWatchRoutes,
    importRoutes,
    callRoutes,
    questionRoutes,
    patternRoutes,
    sessionRoutes,
    agentRoutes,
    policyRoutes,
    eventRoutes,
  ].flatMap((routes) => routes(context))
}
