import { sum } from './estimate-tokens.ts'

/**
 * Shows how full the context window is: the tokens that the vendor counted last, and an estimate of what was added since. A plain value;
 * each function returns a new one.
 */
export interface Gauge {
  readonly model: string
  /** The vendor's own count of the last request and its answer, which are the first `messages` messages. */
  readonly counted?: { readonly tokens: number; readonly messages: number }
  /** The vendor's count divided by the estimate. */
  readonly ratio: number
  /** The window size learned from a refusal, if it is smaller than the known one. */
  readonly sizeMax: number
  readonly others: readonly Learned[]
}

type Learned = Pick<Gauge, 'model' | 'ratio' | 'sizeMax'>

export interface Estimate {
  readonly fixed: number
  readonly messages: readonly number[]
}

const othersMax = 20
const ratioMin = 0.5
const ratioMax = 4
/** A refused request was larger than the window by an unknown amount. */
const refusedShare = 0.95

export function emptyGauge(model: string): Gauge {
  return { model, ratio: 1, sizeMax: Number.POSITIVE_INFINITY, others: [] }
}

/** A session that returns to a model keeps what it learned about it. */
export function forModel(gauge: Gauge, model: string): Gauge {
  if (gauge.model === model) return gauge
  const { ratio, sizeMax } = gauge
  const all = [{ model: gauge.model, ratio, sizeMax }, ...gauge.others]
  const known = all.find((each) => each.model === model)
  const others = all.filter((each) => each.model !== model).slice(0, othersMax)
  return { ...emptyGauge(model), ...known, others }
}

export function tokensIn({ counted, ratio }: Gauge, { fixed, messages }: Estimate): number {
  if (counted === undefined || counted.messages > messages.length)
    return Math.ceil(ratio * (fixed + sum(messages)))
  return counted.tokens + Math.ceil(ratio * sum(messages.slice(counted.messages)))
}

export function afterAnswer(
  gauge: Gauge,
  estimate: Estimate,
  count: { readonly input: number; readonly output: number },
): Gauge {
  if (count.input <= 0) return gauge
  const expected = estimate.fixed + sum(estimate.messages)
  const ratio = expected === 0 ? gauge.ratio : clamp(count.input / expected)
  // The answer itself becomes the next message.
  return {
    ...gauge,
    ratio,
    counted: { tokens: count.input + count.output, messages: estimate.messages.length + 1 },
  }
}

/** The last count does not apply to messages that were left out since. */
export function afterChange({ model, ratio, sizeMax, others }: Gauge): Gauge {
  return { model, ratio, sizeMax, others }
}

/** The refusal may name the window's size. */
export function afterRefusal(gauge: Gauge, estimate: Estimate, namedSize: number | undefined): Gauge {
  const tokens = tokensIn(gauge, estimate)
  if (namedSize === undefined)
    return { ...gauge, sizeMax: Math.min(gauge.sizeMax, Math.floor(tokens * refusedShare)) }
  const sizeMax = Math.min(gauge.sizeMax, namedSize)
  if (tokens > sizeMax) return { ...gauge, sizeMax }
  const expected = estimate.fixed + sum(estimate.messages)
  return { ...afterChange(gauge), sizeMax, ratio: clamp(sizeMax / refusedShare / Math.max(1, expected)) }
}

function clamp(ratio: number): number {
  return Math.min(ratioMax, Math.max(ratioMin, ratio))
}
