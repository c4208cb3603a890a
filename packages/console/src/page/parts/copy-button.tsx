import { announce } from './announce.tsx'

/** `text` is made when it is asked for: it may be long. */
export function CopyButton({ label = 'Copy', text }: { readonly label?: string; readonly text: () => string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      announce('Copied.')
    } catch {
      announce('The browser did not let the page copy that.')
    }
  }
  return (
    <button type="button" class="button-small" onClick={() => void copy()}>
      {label}
    </button>
  )
}
