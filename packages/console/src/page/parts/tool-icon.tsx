import type { Icon } from '@ostler/agent-api/internal'

/** A server's icon, if it is included as data. A remote icon is not loaded, because its host would learn who looks at it. */
export function ToolIcon({ icons = [] }: { readonly icons?: readonly Icon[] | undefined }) {
  const src = icons.find((icon) => icon.src.startsWith('data:image/'))?.src
  return src === undefined ? null : <img class="tool-icon" src={src} alt="" width={16} height={16} />
}
