import type { TextFilter } from './text-filter.ts'

export type RemoteImages = 'text' | 'show'

/** Longer paragraphs are not buffered to their end; every image in them becomes text. */
const paragraphCharsMax = 4_000

/** No real fence is longer. */
const beginningCharsMax = 200

const openingFence = /^(?:(`{3,})[^`]*|(~{3,})[^]*)$/
/** After these, Markdown readers disagree about what is code: nested fences, HTML, formulas. */
const unsureLine = /^[\s>*+\-\d.)]*(?:`{3}|~{3}|<|\$\$)/
const unsureBeginning = /^[\s>*+\-\d.)]*(?:`{0,2}|~{0,2}|\$?)$/

/** Targets that need no request: a path, or the image data itself. Anything unusual counts as remote. */
const local = String.raw`\s*<?(?:data:image\/(?:png|jpeg|gif|webp);base64,|(?!\/\/)[\w.\/~#@+-]+(?:[\s>)]|$))`
const remoteTarget = new RegExp(String.raw`\]\((?!${local})`, 'g')
const remoteDefinition = new RegExp(String.raw`\]:(?!${local})`)
const remoteAttribute = /[:&\\]|\/\//g
const loader = /^<(?:style|script|link|base)/i
/** Markdown that may load an image: the image itself, a link definition, or a tag with attributes. */
const trigger = new RegExp(
  String.raw`!\[|${remoteDefinition.source}|<(?=[a-z][\w-]*[\s/]|style|script)`,
  'gi',
)
const openTrigger = /!\[|\]:|<(?:[a-z][\w-]*[\s/]|style|script)/i
const triggerBeginning = /(?:!|\]|<[\w-]{0,40})$/

/**
 * Turns remote images in Markdown into text with their address. Fetching one would send the address, with anything that a server or model
 * wrote into it, to its host. Code blocks stay unchanged.
 */
export function createImageFilter(): TextFilter {
  let paragraph = ''
  let line = ''
  let isLineBegun = false
  let fence: string | undefined
  let isSure = true
  const escapeImages = createImageEscaper()

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
      // Text before a code block is not part of it.
      const before = closeParagraph()
      fence = opening[1] ?? opening[2]
      return before + whole
    }
    if (isWhole) checkSure(text)
    // A buffered paragraph already contains a trigger.
    const isOpen = paragraph !== '' || openTrigger.test(whole)
    paragraph += whole
    return isOpen && paragraph.length <= paragraphCharsMax ? '' : closeParagraph()
  }

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
    return escapeImages(part, true)
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
    const shown =
      fence === undefined ? escapeImages(paragraph, paragraph.length > paragraphCharsMax) : paragraph
    paragraph = ''
    return shown
  }
}

/** Escapes the images of each paragraph. A definition also applies to later paragraphs. */
function createImageEscaper(): (paragraph: string, isCut: boolean) => string {
  let hasImage = false
  let hasDefinition = false
  return (text, isCut) => {
    if (!openTrigger.test(text)) return text
    hasImage ||= text.includes('![')
    hasDefinition ||= remoteDefinition.test(text)
    const [target, attribute] = isCut
      ? [text.length, text.length]
      : [lastIndexOf(remoteTarget, text), lastIndexOf(remoteAttribute, text)]
    return text.replace(trigger, (sign, at: number) => {
      if (sign === '![') return hasDefinition || at < target ? String.raw`!\[` : sign
      if (sign === ']:') return hasImage ? String.raw`]\:` : sign
      return at < attribute || loader.test(text.slice(at, at + 8)) ? '&lt;' : sign
    })
  }
}

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
