import type { ToolArguments } from '@ostler/agent-api'
import {
  type PlanFacts,
  builtinEffects,
  type BuiltinToolName,
  reachOf,
  toNamedPath,
} from '@ostler/agent-api/internal'

/**
 * The effect of a past call of a built-in tool, judged by its arguments alone. The disk may have changed, so links are not followed.
 * Without known arguments, this is the tool's usual effect.
 */
export function toPastPlan(name: BuiltinToolName, args: ToolArguments, roots: readonly string[]): PlanFacts {
  const effect = builtinEffects[name]
  switch (effect) {
    case 'none':
      return { effect }
    case 'fetch':
      return { effect, ...originOf(args['url']) }
    case 'run': {
      const folder = reach(textOr(args['cwd'], '.'), roots, effect)
      const command =
        typeof args['command'] === 'string' ? { command: { line: args['command'], cwd: folder.path } } : {}
      return { effect, ...folder.facts, ...command }
    }
    case 'read':
    case 'write':
      return { effect, ...reach(textOr(args['path'], '.'), roots, effect).facts }
  }
}

function reach(path: string, roots: readonly string[], effect: PlanFacts['effect']) {
  try {
    const named = toNamedPath(path, { roots })
    return { path: named.path, facts: reachOf([named], effect) }
  } catch {
    return { path, facts: {} }
  }
}

function originOf(url: unknown): { origin?: string } {
  return typeof url === 'string' && URL.canParse(url) ? { origin: new URL(url).origin } : {}
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise
}
