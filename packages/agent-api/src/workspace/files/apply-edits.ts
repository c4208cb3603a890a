import { type CleanText, redactedMark } from '../../base/clean-text.ts'
import { giveWay, nextTurn } from '../../base/in-slices.ts'
import {
  createSearchedText,
  findText,
  placesMax,
  type Difference,
  type FoundText,
  type SearchedText,
} from './find-text.ts'
import { nearestLines } from './nearest-lines.ts'
import { createTextFinder } from './text-finder.ts'

export interface Edit {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
}

/** All edits applied to a text, or the reason why none was applied. */
export type AppliedEdits =
  | {
      readonly type: 'edited'
      readonly text: string
      readonly changes: readonly TextChange[]
      readonly notes: readonly string[]
    }
  | { readonly type: 'problem'; readonly problem: string }

/** A replaced part: its offsets in the old and in the new text. */
export interface TextChange {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

interface Place extends FoundText {
  readonly edit: number
}

const listedMax = 20
/** A longer text would block the event loop while it is compared and stored. */
const growthCharsMax = 2 * 1024 * 1024

/** Every edit applies to the original text. Works in slices: each edit may search a long text. */
export async function applyEdits(
  text: string,
  edits: readonly Edit[],
  { clean, signal }: { readonly clean: CleanText; readonly signal?: AbortSignal },
): Promise<AppliedEdits> {
  // `giveWay` does not know how long it took to read the text.
  await nextTurn()
  const searched = createSearchedText(text)
  await nextTurn()
  const places: Place[] = []
  let growth = 0
  for (const [index, edit] of edits.entries()) {
    const name = edits.length === 1 ? 'old_text' : `old_text of edit ${index + 1}`
    if (edit.oldText === '') return problem(`${name} is empty. To write a whole file, use write_file.`)
    if (edit.oldText === edit.newText) return problem(`${name} and new_text are the same.`)
    signal?.throwIfAborted()
    await giveWay()
    const found = findText(searched, edit.oldText, edit.newText)
    if (found.length === 0) {
      await nextTurn()
      return problem(notFound(searched, { name, edit, earlier: edits.slice(0, index), clean }))
    }
    if (found.length > 1 && !edit.replaceAll) return problem(severalFound(searched, name, found))
    if (places.length + found.length > placesMax)
      return problem(
        `${name} is in the file too often: at most ${placesMax.toLocaleString('en')} places are changed by one call.`,
      )
    growth += found.length * Math.max(0, edit.newText.length - edit.oldText.length)
    if (growth > growthCharsMax)
      return problem(
        `${name} makes the file too long: it grows by at most ${growthCharsMax.toLocaleString('en')} characters in one call.`,
      )
    for (const place of found) places.push({ ...place, edit: index + 1 })
  }
  places.sort((one, other) => one.start - other.start || one.end - other.end)
  await giveWay()
  const overlap = overlapIn(places, searched)
  if (overlap !== undefined) return problem(overlap)
  const { text: edited, changes } = replacePlaces(text, places)
  return edited === text
    ? problem('the edits change nothing.')
    : { type: 'edited', text: edited, changes, notes: notesOn(places, searched) }
}

function problem(reason: string): AppliedEdits {
  return { type: 'problem', problem: reason }
}

function replacePlaces(
  text: string,
  places: readonly Place[],
): { readonly text: string; readonly changes: readonly TextChange[] } {
  const parts: string[] = []
  const changes: TextChange[] = []
  let taken = 0
  let length = 0
  const add = (part: string) => {
    parts.push(part)
    length += part.length
  }
  for (const { start, end, newText } of places) {
    add(text.slice(taken, start))
    const newStart = length
    add(newText)
    changes.push({ oldStart: start, oldEnd: end, newStart, newEnd: length })
    taken = end
  }
  add(text.slice(taken))
  return { text: parts.join(''), changes }
}

interface Missing {
  readonly name: string
  readonly edit: Edit
  readonly earlier: readonly Edit[]
  readonly clean: CleanText
}

function notFound({ search }: SearchedText, { name, edit, earlier, clean }: Missing): string {
  const reason = `${name} is not in the file.`
  if (isNumbered(edit.oldText))
    return `${reason} It begins with line numbers, which read_file adds: leave them out.`
  if (edit.oldText.includes(redactedMark))
    return `${reason} It contains ${redactedMark}, which stands for a secret: choose text without it.`
  const find = createTextFinder(edit.oldText)
  const source = earlier.findIndex(({ newText }) => find(newText, 0) !== -1)
  if (source !== -1) {
    return `${reason} Edit ${source + 1} adds it, but every edit applies to the file as it was before the call: join the two.`
  }
  const nearest = nearestLines(search(), edit.oldText, clean)
  return nearest === undefined
    ? `${reason} Nothing in the file is like it.`
    : `${reason} The nearest lines are:\n${nearest}`
}

function isNumbered(text: string): boolean {
  const lines = text.split('\n')
  return /\S/.test(text) && lines.every((line) => /^\s*(?:\d+\t|$)/.test(line))
}

function severalFound(searched: SearchedText, name: string, found: readonly FoundText[]): string {
  const lines = searched.lines()
  const numbers = found.slice(0, listedMax).map(({ start }) => lines.lineAt(start))
  const more = found.length > listedMax ? ` and ${found.length - listedMax} more` : ''
  const advice = 'Include more of the text around it, or set replace_all.'
  return `${name} is in the file ${found.length} times, at lines ${numbers.join(', ')}${more}. ${advice}`
}

function overlapIn(places: readonly Place[], searched: SearchedText): string | undefined {
  const at = places.findIndex((place, index) => place.start < (places[index - 1]?.end ?? 0))
  const [one, other] = [places[at - 1], places[at]]
  if (one === undefined || other === undefined) return undefined
  const line = searched.lines().lineAt(other.start)
  if (one.edit === other.edit)
    return `old_text of edit ${one.edit} overlaps itself at line ${line}. Include more of the text around it.`
  const [first, second] = [Math.min(one.edit, other.edit), Math.max(one.edit, other.edit)]
  return `edits ${first} and ${second} overlap at line ${line}. Join them into one.`
}

const explanations: Readonly<Record<Exclude<Difference, 'none'>, string>> = {
  'line endings': 'the line endings differ; those of the file were kept',
  'trailing blanks': 'blanks at the ends of lines differ',
  indentation: 'the indentation differs; that of the file was used',
}

/** A line for each kind of difference. */
function notesOn(places: readonly Place[], searched: SearchedText): readonly string[] {
  const loose = places.filter(({ difference }) => difference !== 'none')
  if (loose.length === 0) return []
  const lines = searched.lines()
  return [...Map.groupBy(loose, ({ difference }) => difference)].map(([difference, found]) => {
    const numbers = found.slice(0, listedMax).map(({ start }) => lines.lineAt(start))
    const more = found.length > listedMax ? ` and ${found.length - listedMax} more` : ''
    return `Not found exactly, but ${explanations[difference as Exclude<Difference, 'none'>]}: line ${numbers.join(', ')}${more}.`
  })
}
