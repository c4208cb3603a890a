import type { Page } from 'playwright-core'

/** The name of the focused element, and whether its focus is visible. */
const focused = `(() => {
  const element = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const shown = element.matches('input[type=radio], [role=switch]') ? getComputedStyle(element.nextElementSibling ?? element) : undefined
  const isOutlined = (style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
  return { name: (name ?? '').trim(), tag: element.localName, isSeen: isOutlined({ outlineStyle, outlineWidth }) || (shown !== undefined && isOutlined(shown)) }
})()`
export const focusOf = (page: Page) => page.evaluate<{ name: string; tag: string; isSeen: boolean }>(focused)
