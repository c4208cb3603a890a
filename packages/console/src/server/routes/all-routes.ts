import type { About } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import type { Route } from '../http/route.ts'
import { agentRoutes } from './agent.ts'
import { callRoutes } from './calls.ts'
import { importRoutes } from './import.ts'
import { policyRoutes } from './policy.ts'
import { patternRoutes, questionRoutes } from './questions.ts'
import { routes } from './route-table.ts'
import { serverConnectionRoutes, serverLoginRoutes } from './server-connections.ts'
import { serverWatchRoutes } from './server-watch.ts'
import { serverRoutes } from './servers.ts'
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

function aboutRoutes({ version, stateDir, agent, commandFlags }: ConsoleContext) {
  return routes({
    'GET /api/about': async (): Promise<About> => ({
      version,
      agent: { name: await agent.name(), file: agent.file ?? null },
      stateDir,
      commandFlags,
      secretStore: await (await agent.service()).secretStore(),
    }),
  })
}
