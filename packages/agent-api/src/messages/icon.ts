/** A picture for a tool, a command or a server: a small `data:` image, or an https address, which nothing of Ostler loads. */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly theme?: 'light' | 'dark'
}

/** Those that can be shown without a request to anyone. */
export function embeddedIcons(icons: readonly Icon[] | undefined): readonly Icon[] {
  return (icons ?? []).filter(({ src }) => src.startsWith('data:'))
}
