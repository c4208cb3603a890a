/** A picture for a tool, a command or a server: a small `data:` image, or an https address, which Ostler never loads. */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly theme?: 'light' | 'dark'
}

/** The icons that contain their image, so that showing them sends no request. */
export function embeddedIcons(icons: readonly Icon[] | undefined): readonly Icon[] {
  return (icons ?? []).filter(({ src }) => src.startsWith('data:'))
}
