import { styleText } from 'node:util'
import type { Environment, Output } from './io.ts'

type Format = 'bold' | 'dim' | 'italic' | 'underline' | 'cyan' | 'green' | 'red' | 'yellow'

/** Formats a text, or returns it unchanged where styles are not wanted. */
export type Style = (formats: readonly Format[] | Format, text: string) => string

/** Styles for one stream. `NO_COLOR` turns them off, as https://no-color.org says. */
export function styleFor({ isTTY }: Pick<Output, 'isTTY'>, env: Environment): Style {
  const isStyled = isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return isStyled ? (formats, text) => styleText([formats].flat(), text, { validateStream: false }) : plain
}

/** Styles for a text that is read without them. */
export const plain: Style = (_formats, text) => text
