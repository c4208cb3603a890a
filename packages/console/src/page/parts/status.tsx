import type { CallStatus } from '../../api.ts'

export type Tone = 'good' | 'busy' | 'bad' | 'warn' | 'off'

/** A colored dot with a word, so that color is never the only sign. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span class={`status status-${tone}`}>
      <span class="status-dot" aria-hidden="true" />
      {children}
    </span>
  )
}

export const callTones: Readonly<Record<CallStatus, Tone>> = {
  pending: 'busy',
  running: 'busy',
  success: 'good',
  error: 'bad',
  denied: 'warn',
  cancelled: 'off',
  interrupted: 'warn',
}
