import {
  type LoadedAgentFile,
  toBuiltinSettings,
  builtinEffects,
  type BuiltinToolName,
  configOfBuiltinTool,
  toText,
  type ConfiguredTool,
} from '@ostler/agent-api/internal'
import { explainToolConfig } from './explain-tool-config.ts'
import { createJudge } from '../judge/judge.ts'

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
    const { verdict: call, rule: by } = judge({ ref: { server: null, tool: name } })
    const rule = toText(by)
    if (call === 'off') return { name, call, rule, place: sourceOf(['tools', name, 'enabled']) }
    const { approval } = explainToolConfig(
      name,
      undefined,
      configOfBuiltinTool(name, configured, settings),
      sourceOf,
    )
    const place = by.by === 'tool' ? approval.place : undefined
    return { name, call, rule, place }
  })
}
