import { useOfStoredServer } from '@ostler/agent-api/internal'
import { applyAgentFileEdit, describeModels, planAgentFileEdit, type ServerView } from '@ostler/workbench'
import { z } from 'zod'
import type { AgentEdit, AgentSettings, AgentView } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { openFindOwnServer } from '../find-own-server.ts'
import { parseRequest } from '../parse-request.ts'
import { requireConsentToStart, toStarted } from '../server-consent.ts'
import { settingsSchema, withShownTexts } from './agent-settings-schema.ts'
import { routes } from './route-table.ts'

const previewSchema = z.strictObject({ settings: settingsSchema })
const startedSchema = z.strictObject({
  name: z.string(),
  commandLine: z.string(),
  address: z.string().optional(),
})
const applySchema = previewSchema.extend({
  version: z.string(),
  confirmed: z.array(startedSchema).default([]),
})

export function agentRoutes(context: ConsoleContext) {
  const { agent, audit, env, strike } = context
  const editOf = async (settings: AgentSettings) => {
    const shown = await agent.readSettings()
    return { path: agent.path, settings: withShownTexts(settings, shown.settings, strike), env }
  }
  return routes({
    'GET /api/agent': () => toAgentView(context),
    async 'POST /api/agent/preview'({ body }): Promise<AgentEdit> {
      const { settings } = parseRequest(previewSchema, body)
      // Loads the file's secrets into the redactor before any of it is shown.
      await agent.service()
      const { diff, version, issues, notes } = await planAgentFileEdit(await editOf(settings))
      const servers = await newlyUsed(settings, context)
      const starts = await Promise.all(servers.map((server) => toStarted(server, env)))
      return { diff, version, issues, starts, notes }
    },
    async 'PUT /api/agent'({ body }) {
      const { settings, version, confirmed } = parseRequest(applySchema, body)
      await requireConsentToStart(await newlyUsed(settings, context), confirmed, context)
      const edit = await editOf(settings)
      const { diff } = await planAgentFileEdit(edit)
      await audit.run('change-agent', { file: agent.path, diff }, () =>
        applyAgentFileEdit({ ...edit, version }),
      )
      return toAgentView(context)
    },
  })
}

async function newlyUsed(settings: AgentSettings, { agent }: ConsoleContext): Promise<readonly ServerView[]> {
  const { settings: before } = await agent.readSettings()
  const servers = await (await agent.service()).listServers()
  return servers.filter((server) => !isUsed(server, before, servers) && isUsed(server, settings, servers))
}

function isUsed(
  { name, origin, enabled }: ServerView,
  settings: AgentSettings,
  servers: readonly ServerView[],
): boolean {
  if (origin === 'file') return settings.mcpServers[name]?.enabled ?? enabled
  const fileServers = servers.filter((server) => server.origin === 'file').map((server) => server.name)
  return useOfStoredServer({ name, enabled }, { choice: settings.storedServers, fileServers }) === 'used'
}

async function toAgentView({ agent, env, state, stateDir }: ConsoleContext): Promise<AgentView> {
  const shown = await agent.readSettings()
  const name = await agent.name()
  const service = await agent.service()
  const servers = await service.listServers()
  const findOwn = await openFindOwnServer(service, name, servers)
  const live = state.presence.servers().filter((running) => running.agent === name)
  return {
    name,
    file: shown.isThere ? agent.path : null,
    path: agent.path,
    version: shown.version,
    settings: shown.settings,
    overridden: Object.keys(shown.overridden),
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
