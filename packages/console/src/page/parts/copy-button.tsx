import { announce } from './announce.tsx'

/** `text` is a function, because the text may be long. */
export function CopyButton({ label = 'Copy', text }: { readonly label?: string; readonly text: () => string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
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
