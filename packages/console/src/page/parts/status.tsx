export type Tone = 'good' | 'busy' | 'bad' | 'warn' | 'off'

/** A colored dot with a word, so that color is never the only sign. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span class={`status status-${tone}`}>
      <span class="status-dot" aria-hidden="true" />
      {children}
    </span>
  )
}
