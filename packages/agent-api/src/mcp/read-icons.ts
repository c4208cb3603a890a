import { isRecord } from '../base/is-record.ts'
import type { Icon } from '../messages/tool.ts'

/** Reads the icons of one item after the other. They share a budget, because lists with icons are stored and sent. */
type ReadIcons = (raw: unknown) => { readonly icons?: readonly Icon[] }

/** A light and a dark icon. */
const iconsMax = 2
const dataCharsMax = 16 * 1024
const itemsMax = 20
const addressCharsMax = 2_048
const budgetChars = 256 * 1024
const typeCharsMax = 100

const embedded = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml);base64,[\w+/]+={0,2}$/

export function createIconReader(): ReadIcons {
  let left = budgetChars
  return (raw) => {
    const icons: Icon[] = []
    for (const item of Array.isArray(raw) ? raw.slice(0, itemsMax) : []) {
      const { src, mimeType, theme } = isRecord(item) ? item : {}
      if (icons.length === iconsMax || typeof src !== 'string' || src.length > left || !isUsable(src))
        continue
      left -= src.length
      icons.push({
        src,
        ...(typeof mimeType === 'string' &&
          mimeType.length <= typeCharsMax &&
          /^image\/[\w.+-]+$/.test(mimeType) && { mimeType }),
        ...((theme === 'light' || theme === 'dark') && { theme }),
      })
    }
    return icons.length === 0 ? {} : { icons }
  }
}

/** Nothing else may be shown: other schemes run scripts or read files. */
function isUsable(src: string): boolean {
  if (src.startsWith('data:')) return src.length <= dataCharsMax && embedded.test(src)
  if (src.length > addressCharsMax || !URL.canParse(src)) return false
  const { protocol, username, password } = new URL(src)
  return protocol === 'https:' && username === '' && password === ''
}
