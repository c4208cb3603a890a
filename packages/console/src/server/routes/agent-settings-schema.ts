import { approvalModes } from '@ostler/agent-api'
import type { Strike } from '@ostler/agent-api/internal'
import { readApprovals } from '@ostler/agent-api/internal'
import type { AgentSettings } from '@ostler/agent-api/manage'
import { z } from 'zod'

const inclusion = z.enum(['always', 'manual', 'agent'])
const approval = z.enum(['ask', 'allow', 'deny'])
const mode = z.enum(['strict', 'dynamic'])
const duration = z.union([z.string(), z.number()])

/** Checks only the shape. The agent file's own schema validates the values. */
export const settingsSchema: z.ZodType<AgentSettings> = z.strictObject({
  approval: z.strictObject({ mode: z.enum(approvalModes), trustedTools: z.array(z.string()), reads: z.enum(readApprovals) }),
  storedServers: z.union([z.enum(['all', 'none']), z.array(z.string())]),
  sessionServers: z.strictObject({
    mode,
    approval: approval.exactOptional(),
    rateLimit: z.strictObject({ calls: z.number(), per: duration }).exactOptional(),
  }),
  toolbox: z.strictObject({
    maxConcurrent: z.number(),
    tools: z.array(
      z.strictObject({
        name: z.string(),
        server: z.string().exactOptional(),
        mode: mode.exactOptional(),
        maxInstances: z.number().exactOptional(),
        timeout: duration.exactOptional(),
        include: inclusion.exactOptional(),
        approval: approval.exactOptional(),
      }),
    ),
  }),
  toolBudget: z.number(),
  model: z.string().exactOptional(),
  smallModel: z.string().exactOptional(),
  thoughtLevel: z.enum(['default', 'off', 'low', 'medium', 'high']).exactOptional(),
  systemPrompt: z.string().exactOptional(),
  tools: z.record(
    z.string(),
    z.strictObject({
      enabled: z.boolean(),
      approval: approval.exactOptional(),
      maxInstances: z.number().exactOptional(),
      timeout: duration.exactOptional(),
      timeoutMax: duration.exactOptional(),
      keepVariables: z.array(z.string()).exactOptional(),
      privateHosts: z.array(z.string()).exactOptional(),
    }),
  ),
  mcpServers: z.record(z.string(), z.strictObject({ enabled: z.boolean(), mode, include: inclusion.exactOptional() })),
})

/** The page shows a prompt without its secrets. A prompt that is sent back as shown was not changed. */
export function withShownTexts(settings: AgentSettings, shown: AgentSettings, strike: Strike): AgentSettings {
  const { systemPrompt } = shown
  const isUnchanged = systemPrompt !== undefined && settings.systemPrompt === strike(systemPrompt)
  return isUnchanged ? { ...settings, systemPrompt } : settings
}
