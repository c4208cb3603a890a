/** A character of a terminal with the style that it is shown in. */
export interface Char {
  readonly char: string
  readonly style: TextStyle
}

export interface TextStyle {
  readonly bold: boolean
  readonly dim: boolean
  /** The number of the SGR sequence, from 30 to 37. */
  readonly color: number | undefined
}

export const plainStyle: TextStyle = { bold: false, dim: false, color: undefined }

/** A line with SGR sequences as its characters. */
export function toChars(line: string): Char[] {
  const [start = '', ...parts] = line.split('\u001B[')
  let style = plainStyle
  const chars = [...start].map((char): Char => ({ char, style }))
  for (const part of parts) {
    const [, code = '', rest = ''] = /^(\d+)m(.*)$/.exec(part) ?? []
    style = withCode(style, Number(code))
    for (const char of rest) chars.push({ char, style })
  }
  return chars
}

/** The style after an SGR sequence. Codes that the command does not use change nothing. */
export function withCode(style: TextStyle, code: number): TextStyle {
  switch (code) {
    case 0:
      return plainStyle
    case 1:
      return { ...style, bold: true }
    case 2:
      return { ...style, dim: true }
    case 22:
      return { ...style, bold: false, dim: false }
    case 39:
      return { ...style, color: undefined }
    default:
      return code >= 30 && code <= 37 ? { ...style, color: code } : style
  }
}
