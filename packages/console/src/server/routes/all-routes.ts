import type { About } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import type { Route } from '../http/route.ts'
import { agentRoutes } from './agent.ts'
import { callRoutes } from './calls.ts'
import { importRoutes } from './import.ts'
import { policyRoutes } from './policy.ts'
import { patternRoutes, questionRoutes } from './questions.ts'
import { replies, routes } from './route-table.ts'
import { serverConnectionRoutes, serverLoginRoutes } from './server-connections.ts'
import { serverWatchRoutes } from './server-watch.ts'
import { serverRoutes } from './servers.ts'
import { sessionRoutes } from './sessions.ts'

export function allRoutes(context: ConsoleContext): readonly Route[] {
  return [
    ownRoutes,
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
  ].flatMap((routes) => routes(context))
}

function ownRoutes({ version, stateDir, agent, commandFlags, live }: ConsoleContext) {
  return [
    ...routes({
      'GET /api/about': async (): Promise<About> => ({
        version,
        agent: { name: await agent.name(), file: agent.file ?? null },
        stateDir,
        commandFlags,
        secretStore: await (await agent.service()).secretStore(),
      }),
    }),
    ...replies({ 'GET /api/events': () => ({ type: 'events', source: live.source }) }),
  ]
}
