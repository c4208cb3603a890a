import {
  applyAgentFileEdit,
  describeModels,
  planAgentFileEdit,
  useOfStoredServer,
  type ServerView,
  type ShownAgentFile,
} from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { AgentEdit, AgentSettings, AgentView } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { requestError } from '../http/request-error.ts'
import { openFindOwnServer } from '../find-own-server.ts'
import { json, type Route } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'
import { requireConsentToStart, toStarted } from '../server-consent.ts'
import { settingsSchema, withShownTexts } from './agent-settings-schema.ts'

const previewSchema = z.strictObject({ settings: settingsSchema })
const startedSchema = z.strictObject({ name: z.string(), commandLine: z.string(), address: z.string().optional() })
const applySchema = previewSchema.extend({ version: z.string(), confirmed: z.array(startedSchema).default([]) })

export function agentRoutes(context: ConsoleContext): readonly Route[] {
  const { agent, audit, env, history, strike } = context
  const editOf = async (settings: AgentSettings) => {
    const shown = await agent.readSettings()
    return { path: agent.path, settings: withShownTexts(settings, shown.settings, strike), env }
  }
  return [
    { method: 'GET', path: '/api/agent', handle: async () => json(await toAgentView(context)) },
    {
      method: 'POST',
      path: '/api/agent/preview',
      async handle({ body }) {
        const { settings } = parseRequest(previewSchema, body)
        // Loads the file's secrets into the redactor before any of it is shown.
        await agent.service()
        const { diff, version, issues, notes } = await planAgentFileEdit(await editOf(settings))
        const starts = await Promise.all((await newlyUsed(settings, context)).map((server) => toStarted(server, env)))
        return json({ diff, version, issues, starts, notes } satisfies AgentEdit)
      },
    },
    {
      method: 'PUT',
      path: '/api/agent',
      async handle({ body }) {
        const { settings, version, confirmed } = parseRequest(applySchema, body)
        await requireConsentToStart(await newlyUsed(settings, context), confirmed, context)
        const edit = await editOf(settings)
        const { diff } = await planAgentFileEdit(edit)
        await audit.run('change-agent', { file: agent.path, diff }, () => applyAgentFileEdit({ ...edit, version }))
        return json(await toAgentView(context))
      },
    },
    {
      method: 'DELETE',
      path: '/api/grants/:id',
      async handle({ params }) {
        const id = Number(params['id'])
        const grants = history.grants(await agent.name())
        const grant = grants.list().find((candidate) => candidate.id === id)
        if (grant === undefined) throw requestError(404, 'console.unknown_grant', 'There is no such grant.')
        const { server, tool } = grant.ref
        await audit.run('revoke-grant', { verdict: grant.verdict, server, tool }, () => grants.revoke(id))
        return json({})
      },
    },
  ]
}

/** The servers that the agent uses with these settings, and does not use now. */
async function newlyUsed(settings: AgentSettings, { agent }: ConsoleContext): Promise<readonly ServerView[]> {
  const { settings: before } = await agent.readSettings()
  const servers = await (await agent.service()).listServers()
  return servers.filter((server) => !isUsed(server, before, servers) && isUsed(server, settings, servers))
}

function isUsed({ name, origin, enabled }: ServerView, settings: AgentSettings, servers: readonly ServerView[]): boolean {
  if (origin === 'file') return settings.mcpServers[name]?.enabled ?? enabled
  const fileServers = servers.filter((server) => server.origin === 'file').map((server) => server.name)
  return useOfStoredServer({ name, enabled }, { choice: settings.storedServers, fileServers }) === 'used'
}

async function toAgentView({ agent, env, history, stateDir }: ConsoleContext): Promise<AgentView> {
  const shown = await agent.readSettings()
  const name = await agent.name()
  const service = await agent.service()
  const servers = await service.listServers()
  const findOwn = await openFindOwnServer(service, name, servers)
  const live = history.listLiveServers().filter((running) => running.agent === name)
  return {
    name,
    file: shown.isThere ? agent.path : null,
    path: agent.path,
    version: shown.version,
    settings: shown.settings,
    origins: originsOf(shown),
    models: describeModels({ providers: shown.providers, env }, stateDir),
    servers: servers.map((view) => {
      const { name: server, origin, enabled, shadowed, tools, entry } = view
      const running = live.filter((one) => findOwn(one, servers) === view)
      return {
        name: server,
        origin,
        used: isUsed(view, shown.settings, servers),
        enabled,
        shadowed,
        live: running,
        tools: running.find(({ status }) => status === 'connected')?.tools ?? tools ?? null,
        mode: entry['mode'] === 'strict' ? 'strict' : 'dynamic',
      }
    }),
    problems: shown.problems,
  }
}

/** The source of each field of the form. */
function originsOf({ settings, overridden, isWritten }: ShownAgentFile): AgentView['origins'] {
  const paths = [
    ['approval', 'mode'],
    ['approval', 'trustedTools'],
    ['approval', 'reads'],
    ['storedServers'],
    ['sessionServers', 'mode'],
    ['sessionServers', 'approval'],
    ['sessionServers', 'rateLimit'],
    ['toolbox', 'maxConcurrent'],
    ['toolbox', 'tools'],
    ['toolBudget'],
    ['model'],
    ['models', 'small'],
    ['thoughtLevel'],
    ['systemPrompt'],
    ...Object.keys(settings.tools).map((name) => ['tools', name]),
    ...Object.keys(settings.mcpServers).flatMap((name) =>
      (['enabled', 'mode', 'include'] as const).map((field) => ['mcpServers', name, field]),
    ),
  ]
  return Object.fromEntries(
    paths.map((path) => {
      const isOverridden = path.some((_, depth) => Object.hasOwn(overridden, path.slice(0, depth + 1).join('.')))
      return [path.join('.'), isOverridden ? 'environment' : isWritten(path) ? 'file' : 'default']
    }),
  )
}
