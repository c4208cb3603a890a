/** The cost of one size of the input. */
export interface Point {
  readonly x: number
  readonly y: number
}

export interface Series {
  readonly name: string
  readonly points: readonly Point[]
}

export interface Curve {
  /** Names the picture, and the curve on the command line. */
  readonly id: string
  readonly title: string
  readonly x: string
  readonly y: string
  /** A slope of 1 is linear, one of 0 does not grow. The rest is room for noise. */
  readonly slopeMax: number
  readonly series: readonly Series[]
}

/** The growth of the last step, where fixed costs weigh least: the exponent with which the cost follows the size. */
export function slopeOf(points: readonly Point[]): number {
  const [before, last] = points.slice(-2)
  if (before === undefined || last === undefined) return NaN
  return Math.log(last.y / before.y) / Math.log(last.x / before.x)
}

/** The series that grow faster than they may. A slope that is not a number does not hold. */
export function steepOf({ series, slopeMax }: Curve): readonly Series[] {
  return series.filter(({ points }) => !(slopeOf(points) <= slopeMax))
}
