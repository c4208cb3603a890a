import { z } from 'zod'
import { planEntryPriorities, planEntryStatuses } from '../../messages/plan.ts'

/**
 * The fields that readers of an entry rely on. Ostler writes them and migrations keep them up to date. Still, a bad disk or a person may
 * have changed them.
 */

const typed = z.looseObject({ type: z.string() })
const shapes: Readonly<Record<string, z.ZodType>> = {
  text: z.looseObject({ text: z.string() }),
  image: z.looseObject({ data: z.string(), mimeType: z.string() }),
  audio: z.looseObject({ data: z.string(), mimeType: z.string() }),
  resource_link: z.looseObject({ uri: z.string(), name: z.string() }),
  resource: z.looseObject({
    resource: z.union([
      z.looseObject({ uri: z.string(), text: z.string() }),
      z.looseObject({ uri: z.string(), blob: z.string() }),
    ]),
  }),
  diff: z.looseObject({ path: z.string(), newText: z.string() }),
  terminal: z.looseObject({ text: z.string() }),
}
const output = typed.refine((value) => shapes[value.type]?.safeParse(value).success === true)
const outputs = z.array(output)

export const promptBody = outputs

const texts = z.array(z.string())
const chunk = { messageId: z.string(), text: z.string() }
const cost = z.looseObject({ amount: z.number(), currency: z.string() })
const turnUsage = z.looseObject({ inputTokens: z.number(), outputTokens: z.number(), cost: cost.optional() })
const usage = z.looseObject({ contextUsed: z.number(), contextSize: z.number(), cost: cost.optional() })

export const eventBody = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), ...chunk }),
  z.looseObject({ type: z.literal('thought'), ...chunk }),
  z.looseObject({
    type: z.literal('tool_call'),
    call: z.looseObject({
      id: z.string(),
      wireName: z.string(),
      title: z.string(),
      kind: z.string(),
      locations: z.array(z.unknown()),
      content: outputs.optional(),
      parentId: z.string().optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('tool_call_update'),
    id: z.string(),
    update: z.looseObject({ content: outputs.optional(), locations: z.array(z.unknown()).optional() }),
  }),
  z.looseObject({
    type: z.literal('plan'),
    entries: z.array(
      z.looseObject({
        content: z.string(),
        status: z.enum(planEntryStatuses),
        priority: z.enum(planEntryPriorities),
      }),
    ),
  }),
  z.looseObject({ type: z.literal('usage'), usage }),
  z.looseObject({
    type: z.literal('compaction'),
    id: z.string(),
    status: z.enum(['in_progress', 'completed', 'failed', 'cancelled']),
    summary: z.string().optional(),
    error: z.string().optional(),
  }),
  z.looseObject({
    type: z.literal('server_report'),
    report: z.looseObject({
      connected: z.array(z.unknown()),
      waiting: texts,
      failed: z.array(z.looseObject({ server: z.string(), reason: z.string() })),
      warnings: texts,
    }),
  }),
  z.looseObject({
    type: z.literal('turn_end'),
    stopReason: z.string(),
    usage: turnUsage.optional().catch(undefined),
  }),
])

const byName = z.record(z.string(), z.string())

const change = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('briefed'), text: z.string(), servers: byName, told: byName }),
  z.looseObject({ type: z.literal('told'), told: byName }),
  z.looseObject({ type: z.literal('cleared') }),
  z.looseObject({ type: z.literal('withdrawn'), last: z.int().min(0) }),
  z.looseObject({
    type: z.literal('shortened'),
    results: z.array(z.looseObject({ call: z.string(), chars: z.int().min(0) })),
  }),
  z.looseObject({
    type: z.literal('compacted'),
    summary: z.string(),
    kept: z.int().min(0),
    prompt: z.int().min(1).optional(),
  }),
])

export const messageBody = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('context'), change }),
  z.looseObject({ role: z.literal('user'), content: outputs }),
  z.looseObject({ role: z.literal('assistant'), parts: z.array(typed) }),
  z.looseObject({
    role: z.literal('tool'),
    results: z.array(
      z.looseObject({ id: z.string(), wireName: z.string(), result: z.looseObject({ content: outputs }) }),
    ),
  }),
])
