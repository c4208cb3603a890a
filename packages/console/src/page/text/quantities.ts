import { trimZeros } from '@ostler/agent-api/browser'

const numbers = new Intl.NumberFormat('en')
export function formatCount(count: number): string {
  return numbers.format(count)
}

/** `$0.12`, `€0.008`. */
export function formatCost(amount: number, currency: string): string {
  return amount.toLocaleString('en', {
    style: 'currency',
    currency,
    maximumFractionDigits: amount < 0.1 ? 4 : 2,
  })
}

export function formatRate(part: number, whole: number): string {
  if (whole === 0) return '–'
  const percent = (100 * part) / whole
  if (part > 0 && percent < 0.1) return '<0.1%'
  return `${trimZeros(percent.toFixed(percent < 9.95 ? 1 : 0))}%`
}
