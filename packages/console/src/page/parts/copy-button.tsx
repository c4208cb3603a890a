import { announce } from './announce.tsx'

/** `text` is a function, because the text may be long. Undefined copies nothing. */
export function CopyButton({ label = 'Copy', text }: { readonly label?: string; readonly text: () => string | undefined }) {
  const copy = async () => {
    const copied = text()
    if (copied === undefined) return
    try {
      await navigator.clipboard.writeText(copied)
      announce('Copied.')
    } catch {
      announce('Copying was blocked by the browser.')
    }
  }
  return (
    <button type="button" class="button-small" onClick={() => void copy()}>
      {label}
    </button>
  )
}
