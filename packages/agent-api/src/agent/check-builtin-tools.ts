import type { LoadedAgentFile } from '../config/agent-file.ts'
import { explainToolConfig } from '../config/explain-tool-config.ts'
import { toBuiltinSettings } from '../config/to-builtin-settings.ts'
import { decide } from '../policy/approval.ts'
import { builtinEffects, builtinSettingsOf, type BuiltinToolName } from '../policy/builtin-tools.ts'
import { configOfBuiltinTool } from '../policy/local-tools.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'

/** The verdict on a call of a built-in tool inside the session's directories, before the person has answered anything. */
export interface CheckedBuiltinTool {
  readonly name: BuiltinToolName
  /** `off`: the tool is not offered. */
  readonly call: 'allow' | 'ask' | 'deny' | 'off'
  readonly rule: string
  /** The setting that decides: `FILE:LINE:COLUMN` or a variable. */
  readonly place?: string
}

export function checkBuiltinTools(
  { file, sourceOf }: LoadedAgentFile,
  configured: readonly ConfiguredTool[],
): readonly CheckedBuiltinTool[] {
  const settings = toBuiltinSettings(file)
  const names = Object.keys(builtinEffects) as readonly BuiltinToolName[]
  return names.map((name) => {
    if (builtinSettingsOf(settings, name)?.enabled === false)
      return { name, call: 'off', rule: 'tools', place: sourceOf(['tools', name, 'enabled']) }
    const { approval } = explainToolConfig(name, undefined, configOfBuiltinTool(name, configured, settings), sourceOf)
    const { verdict, rule } = decide(
      { ...file.approval, grants: [] },
      {
        ref: { server: null, tool: name },
        pin: { definition: '', identity: '', parts: {} },
        approval: approval.value ?? undefined,
        isInternal: false,
        isTrustedRead: false,
        plan: { effect: builtinEffects[name] },
      },
    )
    const place = rule.startsWith('tool:') ? approval.place : undefined
    return { name, call: verdict, rule, ...(place !== undefined && { place }) }
  })
}
