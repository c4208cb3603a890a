import { toChangedLines } from '../text/changed-lines.ts'
import { toDiffLines } from '../text/diff-lines.ts'

export function DiffView({ diff }: { diff: string }) {
  return <Lines label="Difference" lines={toDiffLines(diff)} />
}

/** How the definition of a tool has changed. Null if the earlier one is not known. */
export function DefinitionDiff({ difference }: { difference: string | null }) {
  if (difference === null)
    return <p class="muted">The earlier definition was not kept, so it cannot be compared.</p>
  return difference === '' ? null : <DiffView diff={difference} />
}

const marks = { same: ' ', removed: '−', added: '+', place: '⋯' } as const

export function ChangeView({ before, after }: { before: string | null; after: string }) {
  const lines = toChangedLines(before ?? '', after)
  return (
    <Lines
      label="Changes"
      lines={lines.map(({ kind, text }) => ({ kind, text: `${marks[kind]} ${text}` }))}
    />
  )
}

function Lines({ label, lines }: { label: string; lines: readonly { kind: string; text: string }[] }) {
  return (
    <div class="diff mono" role="group" aria-label={label} tabIndex={0}>
      {lines.map(({ kind, text }, index) => (
        <div key={index} class={`diff-${kind}`}>
          {text === '' ? ' ' : text}
        </div>
      ))}
    </div>
  )
}
