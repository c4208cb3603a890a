import { wordFor } from './setting-words.ts'

export const modeNames = {
  'read-only': 'Read only',
  'always-ask': 'Always ask',
  'trusted-only': 'Trusted only',
  auto: 'Auto',
} as const

/** The name of an approval mode, as in the settings of the agent. */
export function modeName(mode: string): string {
  return wordFor(modeNames, mode)
}
