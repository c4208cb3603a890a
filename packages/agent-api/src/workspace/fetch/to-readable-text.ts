import { Parser } from 'htmlparser2'
import { isSliceOver, nextTurn } from '../../base/in-slices.ts'

export interface ReadableText {
  readonly title: string
  /** Markdown, with absolute links. */
  readonly text: string
  /** True if the page is nested too deeply to be read to its end. */
  readonly isCut: boolean
}

const unread: ReadonlySet<string> = new Set(
  'script style noscript template svg math nav footer aside form button select textarea iframe object canvas audio video dialog'.split(
    ' ',
  ),
)
const blocks: ReadonlySet<string> = new Set(
  'address article blockquote dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hr li main ol p pre section summary table tr ul'.split(
    ' ',
  ),
)
const marks: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '_', em: '_' }
/** At each closing tag, the parser looks through all open elements. */
const depthMax = 512
const sliceChars = 16 * 1024
/** A part of the page counts as its content if it has at least this share of the text. */
const mainShareMin = 0.2

interface Element {
  readonly name: string
  readonly isUnread: boolean
  readonly start: number
  href?: string
}

interface Page {
  readonly baseUrl: string
  readonly open: Element[]
  readonly lists: { readonly isOrdered: boolean; count: number }[]
  readonly texts: string[]
  length: number
  /** Line breaks to write before the next text. */
  breaks: number
  hasSpace: boolean
  title: string
  /** The longest part that the page marks as its content. */
  content: { readonly start: number; readonly end: number }
}

/** The text that a person would read. Takes linear time and works in slices, because the page is untrusted. */
export async function toReadableText(html: string, baseUrl: string): Promise<ReadableText> {
  const page: Page = {
    baseUrl,
    open: [],
    lists: [],
    texts: [],
    length: 0,
    breaks: 0,
    hasSpace: false,
    title: '',
    content: { start: 0, end: 0 },
  }
  const parser = new Parser({
    onopentagname: (name) => openElement(page, name),
    onattribute: (name, value) => readAttribute(page, name, value),
    ontext: (text) => addText(page, text),
    onclosetag: () => closeElement(page),
  })
  let isCut = false
  for (let at = 0; at < html.length && !isCut; at += sliceChars) {
    if (isSliceOver()) await nextTurn()
    parser.write(html.slice(at, at + sliceChars))
    isCut = page.open.length > depthMax
  }
  if (isCut) for (const _ of page.open.slice()) closeElement(page)
  else parser.end()
  const whole = page.texts.join('')
  const { start, end } = page.content
  const text = end - start >= whole.length * mainShareMin ? whole.slice(start, end) : whole
  return { title: page.title.replace(/\s+/g, ' ').trim(), text: text.trim(), isCut }
}

function openElement(page: Page, name: string): void {
  const isUnread = unread.has(name) || page.open.at(-1)?.isUnread === true
  if (!isUnread && blocks.has(name)) startBlock(page, name)
  page.open.push({ name, isUnread, start: page.length })
  if (isUnread) return
  if (name === 'ul' || name === 'ol') page.lists.push({ isOrdered: name === 'ol', count: 0 })
  else if (name === 'br') page.breaks = Math.max(page.breaks, 1)
  else if (name === 'pre') write(page, '```\n')
  else if (name === 'code' && !isIn(page, 'pre')) write(page, '`')
  else if (marks[name] !== undefined) write(page, marks[name])
  else if (name === 'td' || name === 'th') writeCell(page)
}

function readAttribute(page: Page, name: string, value: string): void {
  const element = page.open.at(-1)
  if (element === undefined || element.isUnread) return
  if (name === 'href' && element.name === 'a') element.href = value
  else if (name === 'alt' && element.name === 'img' && value.trim() !== '') addText(page, `[image: ${value}]`)
  else if (name === 'hidden' || (name === 'aria-hidden' && value === 'true'))
    page.open[page.open.length - 1] = { ...element, isUnread: true }
}

function closeElement(page: Page): void {
  const element = page.open.pop()
  if (element === undefined || element.isUnread) return
  const { name, start, href } = element
  if (name === 'a' && href !== undefined) closeLink(page, start, href)
  else if (name === 'pre') write(page, page.texts.at(-1)?.endsWith('\n') === true ? '```' : '\n```')
  else if (name === 'code' && !isIn(page, 'pre')) write(page, '`')
  else if (marks[name] !== undefined) write(page, marks[name])
  else if (name === 'ul' || name === 'ol') page.lists.pop()
  if (blocks.has(name)) page.breaks = Math.max(page.breaks, breaksAround(page, name))
  if ((name === 'main' || name === 'article') && page.length - start > page.content.end - page.content.start)
    page.content = { start, end: page.length }
}

/** Items and rows follow each other without an empty line. */
const tight: ReadonlySet<string> = new Set(['li', 'tr', 'dt', 'dd'])

function breaksAround({ lists }: Page, name: string): number {
  return tight.has(name) || ((name === 'ul' || name === 'ol') && lists.length > 0) ? 1 : 2
}

function writeCell(page: Page): void {
  page.hasSpace = true
  write(page, '|')
  page.hasSpace = true
}

function startBlock(page: Page, name: string): void {
  page.breaks = Math.max(page.breaks, breaksAround(page, name))
  if (/^h[1-6]$/.test(name)) write(page, `${'#'.repeat(Number(name[1]))} `)
  else if (name === 'blockquote') write(page, '> ')
  else if (name === 'hr') write(page, '---')
  else if (name === 'li') {
    const list = page.lists.at(-1)
    const mark = list?.isOrdered === true ? `${++list.count}.` : '-'
    write(page, `${'  '.repeat(Math.min(Math.max(0, page.lists.length - 1), 10))}${mark} `)
  }
}

function addText(page: Page, text: string): void {
  const element = page.open.at(-1)
  if (element?.name === 'title' && !isIn(page, 'body')) page.title += text
  else if (element?.isUnread === true || isIn(page, 'head')) return
  else if (isIn(page, 'pre')) write(page, text)
  else {
    const words = text.replace(/\s+/g, ' ')
    if (words.startsWith(' ')) page.hasSpace = true
    if (words.trim() !== '') write(page, words.trim())
    if (words.length > 1 && words.endsWith(' ')) page.hasSpace = true
  }
}

/** Breaks and spaces are written with the text after them: never at the end, and never several. */
function write(page: Page, text: string): void {
  const isAtStart = page.length === 0
  const before =
    page.breaks > 0 ? (isAtStart ? '' : '\n'.repeat(page.breaks)) : page.hasSpace && !isAtStart ? ' ' : ''
  page.texts.push(before + text)
  page.length += before.length + text.length
  page.breaks = 0
  page.hasSpace = false
}

/** Only http and https addresses are of use to a reader. */
function closeLink(page: Page, start: number, href: string): void {
  if (page.length === start || isIn(page, 'pre')) return
  const url = URL.canParse(href, page.baseUrl) ? new URL(href, page.baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href.length > 2_000) return
  const hadSpace = page.hasSpace
  page.hasSpace = false
  write(page, ` (${url.href})`)
  page.hasSpace = hadSpace
}

function isIn(page: Page, name: string): boolean {
  return page.open.some((element) => element.name === name)
}
