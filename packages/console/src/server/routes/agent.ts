import { applyAgentFileEdit, planAgentFileEdit, useOfStoredServer, type ShownAgentFile } from '@ostler/agent-api/manage'
import { z } from 'zod'
import type { AgentEdit, AgentSettings, AgentView } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { requestError } from '../http/request-error.ts'
import { json, type Route } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'
import { settingsSchema, withShownTexts } from './agent-settings-schema.ts'

const previewSchema = z.strictObject({ settings: settingsSchema })
const applySchema = previewSchema.extend({ version: z.string() })

export function agentRoutes(context: ConsoleContext): readonly Route[] {
  const { agent, audit, env, history, redactor } = context
  const editOf = async (settings: AgentSettings) => {
    const shown = await agent.readSettings()
    return { path: agent.path, settings: withShownTexts(settings, shown.settings, redactor), env }
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
        return json({ diff, version, issues, notes } satisfies AgentEdit)
      },
    },
    {
      method: 'PUT',
      path: '/api/agent',
      async handle({ body }) {
        const { settings, version } = parseRequest(applySchema, body)
        await agent.service()
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

async function toAgentView({ agent, history }: ConsoleContext): Promise<AgentView> {
  const shown = await agent.readSettings()
  const name = await agent.name()
  const servers = await (await agent.service()).listServers()
  const { storedServers } = shown.settings
  const live = history.listLiveServers().filter(({ agent: owner, sessionId }) => owner === name && sessionId === null)
  const fileServers = servers.filter(({ origin }) => origin === 'file').map(({ name: server }) => server)
  return {
    name,
    file: shown.isThere ? agent.path : null,
    path: agent.path,
    version: shown.version,
    settings: shown.settings,
    origins: originsOf(shown),
    servers: servers.map(({ name: server, origin, enabled, shadowed, status, tools, entry }) => {
      // The console's own connection says nothing about the agent.
      const running = shadowed ? undefined : live.find((own) => own.name === server)
      return {
        name: server,
        origin,
        used: origin === 'file' ? enabled : useOfStoredServer({ name: server, enabled }, { choice: storedServers, fileServers }) === 'used',
        enabled,
        shadowed,
        status: running?.status ?? status.state,
        tools: (running?.status === 'connected' ? running.tools : tools) ?? null,
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
