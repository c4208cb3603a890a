import type { About } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { json, type Route } from '../http/route.ts'

export function aboutRoutes({ version, stateDir, agent, commandFlags }: ConsoleContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/about',
      async handle() {
        const about: About = {
          version,
          agent: { name: await agent.name(), file: agent.file ?? null },
          stateDir,
          commandFlags,
          secretStore: await (await agent.service()).secretStore(),
        }
        return json(about)
      },
    },
  ]
}
