import { options, type VNode } from 'preact'
import { visible } from './visible.ts'

const shownAttributes = ['title', 'aria-label', 'placeholder', 'alt', 'label'] as const

/** All text on the page is rendered through here, so that text from servers and models cannot hide characters. */
export function showHiddenCharacters(): void {
  const before = options.vnode
  options.vnode = (node: VNode) => {
    clean(node)
    before?.(node)
  }
}

function clean(node: { type: unknown; props: unknown }): void {
  if (typeof node.props === 'string') node.props = visible(node.props)
  if (typeof node.type !== 'string') return
  const props = node.props as Record<string, unknown>
  for (const name of shownAttributes) {
    const value = props[name]
    if (typeof value === 'string') props[name] = visible(value)
  }
}
