import type { LoadedAgentFile } from '../config/agent-file.ts'
import { explainToolConfig } from '../config/explain-tool-config.ts'
import { toBuiltinSettings } from '../config/to-builtin-settings.ts'
import { builtinEffects, type BuiltinToolName } from '../policy/builtin-tools.ts'
import { configOfBuiltinTool } from '../policy/local-tools.ts'
import type { ConfiguredTool } from '../policy/tool-config.ts'
import { createJudge } from './judge.ts'

/** The verdict on a call of a built-in tool inside the session's directories, without any answers of the person. */
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
  const judge = createJudge(file, [])
  const names = Object.keys(builtinEffects) as readonly BuiltinToolName[]
  return names.map((name) => {
    const { verdict: call, rule } = judge({ ref: { server: null, tool: name } })
    if (call === 'off') return { name, call, rule, place: sourceOf(['tools', name, 'enabled']) }
    const { approval } = explainToolConfig(name, undefined, configOfBuiltinTool(name, configured, settings), sourceOf)
    const place = rule.startsWith('tool:') ? approval.place : undefined
    return { name, call, rule, ...(place !== undefined && { place }) }
  })
}
