import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openChat } from '../cli/chat-lab.ts'
import { openRunLab } from '../cli/run-lab.ts'
import { toChars, type Char } from '../support/styled-text.ts'
import { toSvg } from './terminal-picture.ts'

export const questionPicturePath = join(import.meta.dirname, '../../docs/question.svg')

const broken = '  return horses.map(({ name }) => name.trim())'
const fixed = '  return horses.flatMap(({ name }) => name?.trim() ?? [])'
const script = [
  { toolCalls: [{ name: 'read_file', args: { path: 'stalls.js' } }] },
  {
    text: 'It throws for a horse without a name. I will leave such horses out.',
    toolCalls: [
      {
        name: 'edit_file',
        args: { path: 'stalls.js', edits: [{ old_text: broken, new_text: fixed }] },
      },
    ],
  },
]

/** A question of `ostler chat` about an edit, as the built command shows it. Only the model is scripted. */
export async function questionPicture(): Promise<string> {
  await using lab = await openRunLab(script)
  await writeFile(join(lab.path, 'stalls.js'), `export function names(horses) {\n${broken}\n}\n`)
  await using chat = openChat(lab)
  await chat.shows('always-ask')
  chat.press('Why does names() throw? Fix it.\r')
  await chat.shows(/Allow this call\? ?\n.*context/)
  const lines = chat.screen.styledText().map((line) => replaceText(line, lab.path, '/home/me/stable'))
  return toSvg('`ostler chat` asks before it edits a file, and shows the difference', [
    toChars('$ ostler chat'),
    [],
    ...lines.slice(0, lines.findLastIndex((line) => line.length > 0) + 1),
  ])
}

function replaceText(line: readonly Char[], from: string, to: string): readonly Char[] {
  const at = line
    .map(({ char }) => char)
    .join('')
    .indexOf(from)
  const first = line[at]
  if (first === undefined) return line
  return [
    ...line.slice(0, at),
    ...[...to].map((char) => ({ ...first, char })),
    ...line.slice(at + from.length),
  ]
}
