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
} from '@ostler/agent-api/manage'
import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { GrantDifference, Policy, PolicyTool } from '../../api.ts'
import type { ConsoleContext } from '../context.ts'
import { requestError } from '../http/request-error.ts'
import { json, type Route } from '../http/route.ts'
import { parseRequest } from '../parse-request.ts'
import { settingsSchema, withShownTexts } from './agent-settings-schema.ts'

const policySchema = z.strictObject({ settings: settingsSchema.exactOptional() })
const replaySchema = policySchema.extend({ days: z.int().min(1).max(90).default(7) })
const dayMs = 24 * 60 * 60 * 1_000
const aboutCharsMax = 160
/** Other requests are handled in between. */
const toolsAtOnce = 500

/** The verdicts of the agent's rules on its tools, now and after an edit that is not saved. Changes nothing. */
export function policyRoutes(context: ConsoleContext): readonly Route[] {
  const { history, agent } = context
  return [
    {
      method: 'POST',
      path: '/api/policy',
      async handle({ body }) {
        const { settings } = parseRequest(policySchema, body)
        return json(await toPolicy(context, settings))
      },
    },
    {
      method: 'POST',
      path: '/api/policy/replay',
      async handle({ body, signal }) {
        const { settings, days } = parseRequest(replaySchema, body)
        const { name, tools, now, after } = await lookAt(context, settings)
        const since = new Date(Date.now() - days * dayMs).toISOString()
        return json(await replayCalls({ history, agent: name, since, tools, now, after, signal }))
      },
    },
    {
      method: 'GET',
      path: '/api/grants/:id/difference',
      async handle({ params }) {
        const name = await agent.name()
        const grants = history.grants(name)
        const grant = grants.list().find(({ id }) => id === Number(params['id']))
        if (grant === undefined) throw requestError(404, 'console.unknown_grant', 'There is no such grant.')
        const { tools } = await findTools(context, name)
        return json({ difference: grantDifference(grant, toolsOf(grant.ref, tools), grants) } satisfies GrantDifference)
      },
    },
  ]
}

async function findTools({ agent, history }: ConsoleContext, name: string) {
  const servers = await (await agent.service()).listPolicies()
  return listJudgedTools({ agent: name, servers, history })
}

/** The rules of the file, and of the edited file if there is an edit that would be valid. */
async function lookAt(context: ConsoleContext, settings: AgentSettings | undefined) {
  const { agent, env, history } = context
  const shown = await agent.readSettings()
  const wanted = settings === undefined ? shown.settings : withShownTexts(settings, shown.settings, context.strike)
  const plan = await planAgentFileEdit({ path: agent.path, settings: wanted, env })
  const grants = history.grants(shown.name).list()
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
  const granted = new Set(grants.map(({ ref }) => keyOf(ref)))
  const byKey = Map.groupBy(
    tools.filter(({ ref }) => granted.has(keyOf(ref))),
    ({ ref }) => keyOf(ref),
  )
  const judged: PolicyTool[] = []
  for (const tool of tools) {
    if (judged.length % toolsAtOnce === toolsAtOnce - 1) await turnOfOthers()
    judged.push(toPolicyTool(tool, now(tool), after?.(tool)))
  }
  return {
    tools: judged,
    grants: grants.map((grant) => describeGrant(grant, byKey.get(keyOf(grant.ref)) ?? [])),
    unknown,
    issues,
  }
}

function toPolicyTool({ ref, server, definition }: JudgedTool, now: Outcome, after: Outcome | undefined): PolicyTool {
  const { title, description = '', annotations: claims } = definition ?? {}
  const about = firstLine(description)
  return {
    ...ref,
    origin: server?.origin ?? 'builtin',
    isKnown: definition !== undefined,
    ...(title !== undefined && { title }),
    ...(about !== '' && { about }),
    ...(claims !== undefined && { claims }),
    now,
    ...(after !== undefined && !isDeepStrictEqual(now, after) && { after }),
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.length > aboutCharsMax ? `${line.slice(0, aboutCharsMax)}…` : line
}

function toolsOf(ref: JudgedTool['ref'], tools: readonly JudgedTool[]): readonly JudgedTool[] {
  return tools.filter((tool) => keyOf(tool.ref) === keyOf(ref))
}

function keyOf({ server, tool }: JudgedTool['ref']): string {
  return JSON.stringify([server, tool])
}
