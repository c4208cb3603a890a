import {
  createJudge,
  describeGrant,
  grantDifference,
  listJudgedTools,
  planAgentFileEdit,
  replayCalls,
  type AgentSettings,
  type JudgedTool,
  type Outcome,
} from '@ostler/workbench'
import { measureDefinitions } from '@ostler/agent-api/internal'
import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { GrantDifference, Policy, PolicyTool, Replay } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { requestError } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'
import { settingsSchema, withShownTexts } from './agent-settings-schema.ts'
import { routes } from './route-table.ts'

const policySchema = z.strictObject({ settings: settingsSchema.optional() })
const replaySchema = policySchema.extend({ days: z.int().min(1).max(90).default(7) })
const dayMs = 24 * 60 * 60 * 1_000
const aboutCharsMax = 160
/** Other requests are handled in between. */
const toolsAtOnce = 500

/** The verdicts of the agent's rules on its tools, now and after an edit that is not saved. Changes nothing. */
export function policyRoutes(context: ConsoleContext) {
  const { state, agent, audit } = context
  const findGrant = async (id: string | undefined) => {
    const name = await agent.name()
    const grants = state.servers.grants(name)
    const grant = grants.list().find((candidate) => candidate.id === Number(id))
    if (grant === undefined) throw requestError(404, 'console.unknown_grant', 'There is no such grant.')
    return { name, grants, grant }
  }
  return routes({
    async 'POST /api/policy'({ body }) {
      const { settings } = parseRequest(policySchema, body)
      return toPolicy(context, settings)
    },
    async 'POST /api/policy/replay'({ body, signal }): Promise<Replay> {
      const { settings, days } = parseRequest(replaySchema, body)
      const { name, tools, now, after } = await lookAt(context, settings)
      const since = new Date(Date.now() - days * dayMs).toISOString()
      const { calls, sessions } = state
      return replayCalls({ calls, sessions, agent: name, since, tools, now, after, signal })
    },
    async 'GET /api/grants/:id/difference'({ params }): Promise<GrantDifference> {
      const { name, grants, grant } = await findGrant(params['id'])
      const { tools } = await findTools(context, name)
      const own = tools.filter(({ ref }) => keyOf(ref) === keyOf(grant.ref))
      return { difference: grantDifference(grant, own, grants) }
    },
    async 'DELETE /api/grants/:id'({ params }) {
      const { grants, grant } = await findGrant(params['id'])
      const { id, verdict, ref } = grant
      await audit.run('revoke-grant', { verdict, server: ref.server, tool: ref.tool }, () =>
        grants.revoke(id),
      )
    },
  })
}

async function findTools({ agent, state }: ConsoleContext, name: string) {
  const servers = await (await agent.service()).listPolicies()
  return listJudgedTools({
    agent: name,
    servers,
    calls: state.calls,
    presence: state.presence,
    known: state.servers.known(name),
  })
}

/** The rules of the file, and of the edited file if there is an edit that would be valid. */
async function lookAt(context: ConsoleContext, settings: AgentSettings | undefined) {
  const { agent, env, state } = context
  const shown = await agent.readSettings()
  const wanted =
    settings === undefined ? shown.settings : withShownTexts(settings, shown.settings, context.strike)
  const plan = await planAgentFileEdit({ path: agent.path, settings: wanted, env })
  const grants = state.servers.grants(shown.name).list()
  const isEdited = settings !== undefined && plan.before !== plan.after && plan.edited !== undefined
  return {
    name: shown.name,
    grants,
    issues: plan.issues,
    ...(await findTools(context, shown.name)),
    now: createJudge(plan.file, grants),
    after: isEdited ? createJudge(plan.edited, grants) : undefined,
  }
}

async function toPolicy(context: ConsoleContext, settings: AgentSettings | undefined): Promise<Policy> {
  const { tools, unknown, grants, issues, now, after } = await lookAt(context, settings)
  const byKey = Map.groupBy(tools, ({ ref }) => keyOf(ref))
  const sizeOf = await measureJudged(context, tools)
  const judged: PolicyTool[] = []
  for (const tool of tools) {
    if (judged.length % toolsAtOnce === toolsAtOnce - 1) await turnOfOthers()
    judged.push({ ...toPolicyTool(tool, now(tool), after?.(tool)), size: sizeOf(tool) })
  }
  return {
    tools: judged,
    grants: grants.map((grant) => describeGrant(grant, byKey.get(keyOf(grant.ref)) ?? [])),
    unknown,
    issues,
  }
}

/** Sessions know better than this console what a tool takes. */
async function measureJudged({ state }: ConsoleContext, tools: readonly JudgedTool[]) {
  const known = tools.flatMap(({ definition = [] }) => definition)
  const sizes = await measureDefinitions(known)
  const own = new Map(
    known.map((definition, index) => [definition, { sent: sizes[index]?.tokens ?? 0, saved: 0 }]),
  )
  const live = new Map(
    state.presence
      .servers()
      .flatMap(({ identity, sizes: sent = [] }) => sent.map((size) => [`${identity} ${size.tool}`, size])),
  )
  return ({ ref, server, definition }: JudgedTool) =>
    live.get(`${server?.pin?.identity} ${ref.tool}`) ?? (definition && own.get(definition))
}

function toPolicyTool(
  { ref, server, definition }: JudgedTool,
  now: Outcome,
  after: Outcome | undefined,
): PolicyTool {
  const { title, description = '', annotations: claims } = definition ?? {}
  return {
    ...ref,
    origin: server?.origin ?? 'builtin',
    isKnown: definition !== undefined,
    title,
    about: firstLine(description) || undefined,
    claims,
    now,
    after: isDeepStrictEqual(now, after) ? undefined : after,
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.length > aboutCharsMax ? `${line.slice(0, aboutCharsMax)}…` : line
}

function keyOf({ server, tool }: JudgedTool['ref']): string {
  return JSON.stringify([server, tool])
}
