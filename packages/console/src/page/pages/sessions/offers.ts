import { counted } from '@ostler/agent-api/browser'
import type { LeftReason, ToolOffer } from '../../../api.ts'

export function offersOfTurn(offers: readonly ToolOffer[], turn: number): readonly ToolOffer[] {
  const own = offers.filter((offer) => offer.turn === turn)
  const before = offers.findLast((offer) => offer.turn < turn)
  return own[0]?.step === 1 || before === undefined ? own : [before, ...own]
}

export function changesOf(
  offer: ToolOffer,
  before: ToolOffer,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  return {
    added: offer.tools.filter((tool) => !before.tools.includes(tool)),
    removed: before.tools.filter((tool) => !offer.tools.includes(tool)),
  }
}

export function mergeOffers(known: readonly ToolOffer[], newer: readonly ToolOffer[]): readonly ToolOffer[] {
  const keyOf = ({ turn, step }: ToolOffer) => `${turn}.${step}`
  const byKey = new Map([...known, ...newer].map((offer) => [keyOf(offer), offer]))
  return [...byKey.values()].toSorted((one, other) => one.turn - other.turn || one.step - other.step)
}

const reasonTexts: Readonly<Record<LeftReason, (count: number) => string>> = {
  search: (count) => `${counted(count, 'tool')} offered only if the model searches for them`,
  limit: (count) => `${counted(count, 'tool')} beyond the model provider’s limit`,
  manual: (count) => `${counted(count, 'tool')} that you add with /tools add`,
  strict: (count) =>
    `${counted(count, 'tool')} not configured on a strict server, or left out by a list of its server`,
  denied: (count) => `${counted(count, 'tool')} denied by the agent file`,
  off: (count) => `${counted(count, 'tool')} that you switched off in this folder`,
  disabled: (count) => `${counted(count, 'server')} that you disabled in the session`,
  overridden: (count) => `${counted(count, 'server')} overridden by the editor’s server of the same name`,
  unconnected: (count) => `${counted(count, 'server')} not connected`,
}

export function reasonText(reason: LeftReason, count: number): string {
  return reasonTexts[reason](count)
}
