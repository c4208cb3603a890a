import type { About } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { json, type Route } from '../http/route.ts'

export function aboutRoutes({ version, stateDir, agent }: ConsoleContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/about',
      async handle() {
        using borrowed = await agent.borrow()
        const about: About = {
          version,
          agent: { name: await agent.name(), file: agent.file ?? null },
          stateDir,
          secretStore: await borrowed.service.secretStore(),
        }
        return json(about)
      },
    },
  ]
}
