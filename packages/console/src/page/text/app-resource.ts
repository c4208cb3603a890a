import { formatBytes } from '@ostler/agent-api/browser'
import type { ToolOutput } from '../../api.ts'

/** A larger app is not shown. */
const appCharsMax = 2 * 1024 * 1024
const appType = 'text/html;profile=mcp-app'

interface Typed {
  readonly uri: string
  readonly mimeType?: string | null
}

export function isApp({ uri, mimeType }: Typed): boolean {
  return isAppUri(uri) && mimeType?.replaceAll(/[\s"]/g, '').toLowerCase() === appType
}

export function isAppUri(uri: string): boolean {
  return uri.startsWith('ui://')
}

export function appUriIn(content: readonly ToolOutput[]): string | undefined {
  for (const block of content) {
    if (block.type === 'resource' && isApp(block.resource)) return block.resource.uri
    if (block.type === 'resource_link' && isApp(block)) return block.uri
  }
  return undefined
}

export type AppSource = { readonly html: string } | { readonly problem: string }

/** The HTML of the app with this URI. Undefined if it is not in the content. */
export function findApp(content: readonly ToolOutput[], uri: string): AppSource | undefined {
  const resources = content.flatMap((block) =>
    block.type === 'resource' && block.resource.uri === uri ? [block.resource] : [],
  )
  const app = resources.find(isApp)
  if (app === undefined) return undefined
  if (!('text' in app)) return { problem: 'The app is not text.' }
  if (app.text.length > appCharsMax) return { problem: `The app is larger than ${formatBytes(appCharsMax)}.` }
  return { html: app.text }
}
