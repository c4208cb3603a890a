import { toDiffLines } from '../text/diff-lines.ts'

/** A unified diff. Its lines may come from a server. */
export function DiffView({ diff }: { readonly diff: string }) {
  return (
    <div class="diff mono" role="group" aria-label="Difference" tabIndex={0}>
      {toDiffLines(diff).map(({ kind, text }, index) => (
        <div key={index} class={`diff-${kind}`}>
          {text === '' ? ' ' : text}
        </div>
      ))}
    </div>
  )
}
