const margin = 2
const dash = 3

/** An SVG path through the values, left to right. It breaks at a missing value, and draws a single value as a dash. */
export function toPoints(
  values: readonly (number | null)[],
  top: number,
  step: number,
  height: number,
): string {
  const y = (value: number) => round(height - margin - (value / top) * (height - 2 * margin))
  return values
    .map((value, index) => {
      if (value === null) return ''
      const before = values[index - 1] ?? null
      const x = (index + 0.5) * step
      if (before === null && (values[index + 1] ?? null) === null)
        return `M${round(x - dash / 2)} ${y(value)}h${dash}`
      return `${before === null ? 'M' : 'L'}${round(x)} ${y(value)}`
    })
    .join('')
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
