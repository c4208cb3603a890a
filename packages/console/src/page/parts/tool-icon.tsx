import type { Icon } from '@ostler/agent-api/internal'

/** A server's icon, if it is in the page already. A remote one would tell its server who looks at it, so it is not loaded. */
export function ToolIcon({ icons = [] }: { readonly icons?: readonly Icon[] | undefined }) {
  const src = icons.find((icon) => icon.src.startsWith('data:image/'))?.src
  return src === undefined ? null : <img class="tool-icon" src={src} alt="" width={16} height={16} />
}
