import type { TextFilter } from '../base/text-filter.ts'

/** A longer paragraph is not waited for: every image in it becomes text. */
const paragraphCharsMax = 4_000

/** The beginning of a line is waited for no longer: nobody writes a longer fence. */
const beginningCharsMax = 200

/** A fence that every reader of Markdown takes for one. */
const openingFence = /^(?:(`{3,})[^`]*|(~{3,})[^]*)$/
/** Behind these, readers disagree on what is code: a fence inside something else, HTML, a formula. */
const unsureLine = /^[\s>*+\-\d.)]*(?:`{3}|~{3}|<|\$\$)/
const unsureBeginning = /^[\s>*+\-\d.)]*(?:`{0,2}|~{0,2}|\$?)$/

/** What does not leave the machine: a path, or the picture itself. Anything unusual counts as remote. */
const local = String.raw`\s*<?(?:data:image\/(?:png|jpeg|gif|webp);base64,|(?!\/\/)[\w.\/~#@+-]+(?:[\s>)]|$))`
const remoteTarget = new RegExp(String.raw`\]\((?!${local})`, 'g')
const remoteDefinition = new RegExp(String.raw`\]:(?!${local})`)
const remoteAttribute = /[:&\\]|\/\//g
const loader = /^<(?:style|script|link|base)/i
/** What may load an image: the image itself, the address that it refers to, and a tag with attributes. */
const trigger = new RegExp(String.raw`!\[|${remoteDefinition.source}|<(?=[a-z][\w-]*[\s/]|style|script)`, 'gi')
const openTrigger = /!\[|\]:|<(?:[a-z][\w-]*[\s/]|style|script)/i
const triggerBeginning = /(?:!|\]|<[\w-]{0,40})$/

/**
 * Shows images of a Markdown text that lie elsewhere as text, with their address. An editor that fetched one would tell the address, and
 * all that a server or a model wrote into it, to whoever owns it. Blocks of code stay as they are.
 */
export function createImageFilter(): TextFilter {
  let paragraph = ''
  let line = ''
  let isLineBegun = false
  let fence: string | undefined
  let isSure = true
  let hasImage = false
  let hasDefinition = false

  return {
    push(text) {
      const lines = `${line}${text}`.split('\n')
      line = lines.pop() ?? ''
      let shown = ''
      for (const each of lines) {
        shown += takeLine(each)
        isLineBegun = false
      }
      return shown + takePart()
    },
    end() {
      paragraph += line
      line = ''
      return closeParagraph()
    },
  }

  function takeLine(text: string): string {
    const whole = `${text}\n`
    const isWhole = !isLineBegun
    if (fence !== undefined) {
      if (isWhole && isClosing(text, fence)) fence = undefined
      return whole
    }
    if (text.trim() === '' && isWhole) return closeParagraph() + whole
    const opening = isWhole && isSure ? openingFence.exec(text) : null
    if (opening !== null) {
      // What stands before a block of code is none of it.
      const before = closeParagraph()
      fence = opening[1] ?? opening[2]
      return before + whole
    }
    if (isWhole) checkSure(text)
    // What is kept of a paragraph has such a sign already.
    const isOpen = paragraph !== '' || openTrigger.test(whole)
    paragraph += whole
    return isOpen && paragraph.length <= paragraphCharsMax ? '' : closeParagraph()
  }

  /** The beginning of a line, as far as it can be judged without its end. */
  function takePart(): string {
    if (line === '') return ''
    if (!isLineBegun && mayBeFence(line)) {
      if (line.length <= beginningCharsMax) return ''
      fence = undefined
      isSure = false
    }
    if (fence !== undefined) return beginLine(line)
    if (!isLineBegun) checkSure(line)
    const text = paragraph + line
    if (text.length <= paragraphCharsMax && openTrigger.test(text)) return ''
    paragraph = ''
    const kept = triggerBeginning.exec(text)?.[0] ?? ''
    const part = beginLine(text.slice(0, text.length - kept.length))
    line = kept
    return showParagraph(part, true)
  }

  function mayBeFence(text: string): boolean {
    if (fence !== undefined) return /^ {0,3}[`~]*\s*$/.test(text)
    return unsureBeginning.test(text) || (isSure && openingFence.test(text))
  }

  function beginLine(text: string): string {
    line = ''
    isLineBegun ||= text !== ''
    return text
  }

  function checkSure(text: string): void {
    isSure &&= !unsureLine.test(text)
  }

  function closeParagraph(): string {
    const shown = fence === undefined ? showParagraph(paragraph, paragraph.length > paragraphCharsMax) : paragraph
    paragraph = ''
    return shown
  }

  function showParagraph(text: string, isCut: boolean): string {
    if (!openTrigger.test(text)) return text
    hasImage ||= text.includes('![')
    hasDefinition ||= remoteDefinition.test(text)
    const [target, attribute] = isCut ? [text.length, text.length] : [lastIndexOf(remoteTarget, text), lastIndexOf(remoteAttribute, text)]
    return text.replace(trigger, (sign, at: number) => {
      if (sign === '![') return hasDefinition || at < target ? String.raw`!\[` : sign
      if (sign === ']:') return hasImage ? String.raw`]\:` : sign
      return at < attribute || loader.test(text.slice(at, at + 8)) ? '&lt;' : sign
    })
  }
}

/** A text that is there as a whole. */
export function withoutRemoteImages(text: string): string {
  const filter = createImageFilter()
  return filter.push(text) + filter.end()
}

function isClosing(text: string, fence: string): boolean {
  const run = text.trim()
  return /^ {0,3}\S/.test(text) && run.length >= fence.length && run === fence.charAt(0).repeat(run.length)
}

function lastIndexOf(pattern: RegExp, text: string): number {
  let last = -1
  for (const { index } of text.matchAll(pattern)) last = index
  return last
}
