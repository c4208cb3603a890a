import { graphemesOf } from './text-width.ts'

/** A line, or a few, that a person is typing. The cursor is an index into the text. */
export interface EditedLine {
  readonly text: string
  readonly cursor: number
}

/** A key as Node's `keypress` event describes it. */
export interface Key {
  readonly name?: string | undefined
  readonly ctrl?: boolean | undefined
  readonly meta?: boolean | undefined
  readonly shift?: boolean | undefined
  /** The characters to insert, unless it is a special key. */
  readonly text: string
}

export const emptyLine: EditedLine = { text: '', cursor: 0 }

export function lineOf(text: string): EditedLine {
  return { text, cursor: text.length }
}

export function insertText({ text, cursor }: EditedLine, inserted: string): EditedLine {
  return { text: text.slice(0, cursor) + inserted + text.slice(cursor), cursor: cursor + inserted.length }
}

/** The line after a key. Undefined if the key does not edit. The keys are those of readline and of Emacs. */
export function editLine(line: EditedLine, key: Key): EditedLine | undefined {
  const edit = editOf(key)
  if (edit !== undefined) return edit(line)
  return key.text === '' || key.ctrl || key.meta ? undefined : insertText(line, key.text)
}

type Edit = (line: EditedLine) => EditedLine

function editOf({ name, ctrl, meta }: Key): Edit | undefined {
  if (ctrl) return ctrlEdits[name ?? '']
  if (meta) return metaEdits[name ?? '']
  return plainEdits[name ?? '']
}

const moveTo =
  (place: (line: EditedLine) => number): Edit =>
  (line) => ({ ...line, cursor: place(line) })

/** Removes the text between the cursor and a place. */
const cutTo =
  (place: (line: EditedLine) => number): Edit =>
  (line) => {
    const [from, to] = [Math.min(line.cursor, place(line)), Math.max(line.cursor, place(line))]
    return { text: line.text.slice(0, from) + line.text.slice(to), cursor: from }
  }

const before = ({ text, cursor }: EditedLine) =>
  cursor - (graphemesOf(text.slice(0, cursor)).at(-1)?.length ?? 0)
const after = ({ text, cursor }: EditedLine) => cursor + (graphemesOf(text.slice(cursor))[0]?.length ?? 0)
const wordBefore = ({ text, cursor }: EditedLine) =>
  cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0)
const wordAfter = ({ text, cursor }: EditedLine) =>
  cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0)
const rowStart = ({ text, cursor }: EditedLine) => text.lastIndexOf('\n', cursor - 1) + 1
const rowEnd = ({ text, cursor }: EditedLine) =>
  text.indexOf('\n', cursor) === -1 ? text.length : text.indexOf('\n', cursor)

const plainEdits: Readonly<Record<string, Edit>> = {
  left: moveTo(before),
  right: moveTo(after),
  home: moveTo(rowStart),
  end: moveTo(rowEnd),
  backspace: cutTo(before),
  delete: cutTo(after),
}

const ctrlEdits: Readonly<Record<string, Edit>> = {
  a: moveTo(rowStart),
  e: moveTo(rowEnd),
  b: moveTo(before),
  f: moveTo(after),
  h: cutTo(before),
  w: cutTo(wordBefore),
  u: cutTo(rowStart),
  k: cutTo(rowEnd),
  left: moveTo(wordBefore),
  right: moveTo(wordAfter),
  // Ctrl-J, which every terminal can send.
  j: (line) => insertText(line, '\n'),
}

const metaEdits: Readonly<Record<string, Edit>> = {
  b: moveTo(wordBefore),
  f: moveTo(wordAfter),
  d: cutTo(wordAfter),
  backspace: cutTo(wordBefore),
  return: (line) => insertText(line, '\n'),
  enter: (line) => insertText(line, '\n'),
}
