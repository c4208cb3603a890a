import { useState } from 'preact/hooks'
import { formatCount } from '../text/quantities.ts'

const childrenStep = 100
const openDepth = 2
const textLengthMax = 2_000
const linesLengthMax = 20_000

/** A JSON tree. Closed nodes are not rendered, because they may be large. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div class="json-tree mono">
      <Node value={value} depth={0} />
    </div>
  )
}

function Node({ name, value, depth }: { name?: string; value: unknown; depth: number }) {
  const [isOpen, setOpen] = useState(depth < openDepth)
  const [shown, setShown] = useState(childrenStep)
  const label = name !== undefined && <span class="json-key">{name}: </span>
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return (
      <div class="json-leaf">
        {label}
        <Leaf value={value} />
      </div>
    )
  }
  const keys = Object.keys(value)
  const isList = Array.isArray(value)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="json-size">{isList ? `[${keys.length}]` : `{${keys.length}}`}</span>
      </summary>
      {isOpen && (
        <div class="json-children">
          {keys.slice(0, shown).map((key) => (
            <Node key={key} name={key} value={(value as Record<string, unknown>)[key]} depth={depth + 1} />
          ))}
          {keys.length > shown && (
            <button type="button" class="button-small" onClick={() => setShown(shown + childrenStep)}>
              {keys.length - shown} more
            </button>
          )}
        </div>
      )}
    </details>
  )
}

function Leaf({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false)
  if (typeof value !== 'string')
    return <span class="json-value">{value === undefined ? 'undefined' : JSON.stringify(value)}</span>
  const hasLines = value.includes('\n')
  const isCut = !isWhole && value.length > (hasLines ? linesLengthMax : textLengthMax)
  const text = isCut ? value.slice(0, hasLines ? linesLengthMax : textLengthMax) : value
  // Several lines are read as text. The exact value can be copied.
  const shown = hasLines ? (
    <pre tabIndex={0}>{text}</pre>
  ) : (
    <span class="json-string">{JSON.stringify(text)}</span>
  )
  if (!isCut) return shown
  return (
    <>
      {shown}…{' '}
      <button type="button" class="button-small" onClick={() => setWhole(true)}>
        Show all {formatCount(value.length)} characters
      </button>
    </>
  )
}
