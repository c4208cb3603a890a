import { UsageError } from './usage-error.ts'

/** `--agent ""` is what a script says whose variable is not set. */
export function rejectEmptyFlags(values: Readonly<Record<string, unknown>>, usage: string): void {
  for (const [name, value] of Object.entries(values)) if (value === '') throw new UsageError(`--${name} needs a value`, usage)
}
