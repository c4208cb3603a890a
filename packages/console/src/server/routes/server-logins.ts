import { openRedirectListener } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { LoginProgress } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import type { Route } from '../http/route.ts'
import { linesOf } from '../line-queue.ts'
import { parseRequest } from '../parse-request.ts'
import { connectable, consentFields, failureOf } from '../server-consent.ts'
import { serviceRoute } from './service-route.ts'

const consentSchema = z.strictObject(consentFields)

/** Logs in to a remote server with OAuth. The page shows the address, and the browser's return is received here. */
export function serverLoginRoutes(context: ConsoleContext): readonly Route[] {
  return [
    serviceRoute(context, 'POST', '/api/servers/:id/login', async ({ service, id, body, signal }) => {
      const { id: server } = await connectable(service, id, parseRequest(consentSchema, body ?? {}), context)
      return { type: 'lines', lines: logIn(context, server, signal) }
    }),
  ]
}

async function* logIn({ agent, audit, logger }: ConsoleContext, id: string, signal: AbortSignal): AsyncGenerator<LoginProgress> {
  const service = await agent.service()
  yield* linesOf<LoginProgress>(async (push) => {
    try {
      const { name } = await service.getServer(id)
      const show = (url: string) => push({ type: 'open', url })
      await audit.run('log-in', { server: name }, () => service.logIn(id, { signal, listen: () => openRedirectListener(0), show }))
      push({ type: 'done' })
    } catch (error) {
      push({ type: 'failed', error: failureOf(error, logger) })
    }
  })
}
