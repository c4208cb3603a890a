/** A small `data:` image, or an https address, which Ostler never loads. */
export interface Icon {
  readonly src: string
  readonly mimeType?: string
  readonly theme?: 'light' | 'dark'
}

/** Showing these sends no request. */
export function embeddedIcons(icons: readonly Icon[] | undefined): readonly Icon[] {
  return (icons ?? []).filter(({ src }) => src.startsWith('data:'))
}
