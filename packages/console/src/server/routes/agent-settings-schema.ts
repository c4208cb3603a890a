import { approvalModes } from '@ostler/agent-api'
import { type Strike, readApprovals } from '@ostler/agent-api/internal'
import type { AgentSettings } from '@ostler/workbench'
import { z } from 'zod'

const inclusion = z.enum(['always', 'manual', 'agent'])
const approval = z.enum(['ask', 'allow', 'deny'])
const mode = z.enum(['strict', 'dynamic'])
const duration = z.union([z.string(), z.number()])
const rest = { start: z.enum(['eager', 'known-on-demand']).optional(), idle: duration.optional() }

/** Checks only the shape. The agent file's own schema validates the values. */
export const settingsSchema: z.ZodType<AgentSettings> = z.strictObject({
  approval: z.strictObject({
    mode: z.enum(approvalModes),
    trustedTools: z.array(z.string()),
    reads: z.enum(readApprovals),
  }),
  storedServers: z.union([z.enum(['all', 'none']), z.array(z.string())]),
  sessionServers: z.strictObject({
    mode,
    approval: approval.optional(),
    rateLimit: z.strictObject({ calls: z.number(), per: duration }).optional(),
    ...rest,
  }),
  toolbox: z.strictObject({
    maxConcurrent: z.number(),
    tools: z.array(
      z.strictObject({
        name: z.string(),
        server: z.string().optional(),
        mode: mode.optional(),
        maxInstances: z.number().optional(),
        timeout: duration.optional(),
        include: inclusion.optional(),
        approval: approval.optional(),
      }),
    ),
  }),
  toolBudget: z.number(),
  model: z.string().optional(),
  smallModel: z.string().optional(),
  thoughtLevel: z.enum(['default', 'off', 'low', 'medium', 'high']).optional(),
  systemPrompt: z.string().optional(),
  tools: z.record(
    z.string(),
    z.strictObject({
      enabled: z.boolean(),
      approval: approval.optional(),
      maxInstances: z.number().optional(),
      timeout: duration.optional(),
      timeoutMax: duration.optional(),
      keepVariables: z.array(z.string()).optional(),
      privateHosts: z.array(z.string()).optional(),
    }),
  ),
  mcpServers: z.record(
    z.string(),
    z.strictObject({ enabled: z.boolean(), mode, include: inclusion.optional(), ...rest }),
  ),
})

/** The page shows a prompt without its secrets. A prompt that is sent back as shown was not changed. */
export function withShownTexts(settings: AgentSettings, shown: AgentSettings, strike: Strike): AgentSettings {
  const { systemPrompt } = shown
  const isUnchanged = systemPrompt !== undefined && settings.systemPrompt === strike(systemPrompt)
  return isUnchanged ? { ...settings, systemPrompt } : settings
}
