export interface ToolOffer {
  readonly turn: number
  readonly step: number
  /** The names that the model read. At most `offeredNamesMax` are kept. */
  readonly tools: readonly string[]
  readonly count: number
  readonly left: readonly LeftOut[]
}

/**
 * Why tools were not offered. `search`: `find_tools` finds them. `limit`: the model's vendor accepts no more. `manual`: a person adds them.
 * `denied`: the agent file denies their calls. `off`: a person has switched them off. `strict`: their server is strict, and they are not configured, or its lists leave them out. `disabled`: a person disabled their server. `overridden`: a session has
 * another server of this name. `unconnected`: their server is not connected.
 */
export const leftReasons = [
  'search',
  'limit',
  'manual',
  'denied',
  'off',
  'strict',
  'disabled',
  'overridden',
  'unconnected',
] as const
export type LeftReason = (typeof leftReasons)[number]

export interface LeftOut {
  readonly reason: LeftReason
  /** `server:tool`, or servers where their tools are not known. At most `leftNamesMax` are kept. */
  readonly names: readonly string[]
  readonly count: number
}

const offeredNamesMax = 200
const leftNamesMax = 100

export function toToolOffer(
  at: Pick<ToolOffer, 'turn' | 'step'>,
  tools: readonly string[],
  left: Readonly<Partial<Record<LeftReason, readonly string[]>>>,
): ToolOffer {
  return {
    turn: at.turn,
    step: at.step,
    tools: tools.slice(0, offeredNamesMax),
    count: tools.length,
    left: leftReasons.flatMap((reason): LeftOut[] => {
      const names = left[reason] ?? []
      return names.length === 0 ? [] : [{ reason, names: names.slice(0, leftNamesMax), count: names.length }]
    }),
  }
}
