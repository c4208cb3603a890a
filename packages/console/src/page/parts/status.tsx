export type Tone = 'good' | 'busy' | 'bad' | 'warn' | 'off'

/** A dot and its word: never the colour alone. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span class={`status status-${tone}`}>
      <span class="status-dot" aria-hidden="true" />
      {children}
    </span>
  )
}
