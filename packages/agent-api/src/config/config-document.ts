import {
  isCollection,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  YAMLParseError,
  type Document,
} from 'yaml'
import type { ConfigPath } from './config-path.ts'

export interface ConfigDocument {
  readonly data: unknown
  readonly syntaxErrors: readonly { readonly place: string; readonly message: string }[]
  /** `FILE:LINE:COLUMN` of a field. For a missing field, the position of its nearest parent. */
  placeOf(path: ConfigPath): string
}

export function parseConfigDocument(file: string, text: string): ConfigDocument {
  const lines = new LineCounter()
  // JSON is valid YAML, except for its comments and for tabs used as indentation.
  const source = /\.jsonc?$/i.test(file) ? blankComments(text).replaceAll('\t', ' ') : text
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false })
  refuseEndlessAliases(document)
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`
  }
  return {
    data: document.errors.length > 0 ? undefined : (withVariablesAsText(document).toJS() as unknown),
    syntaxErrors: syntaxErrorsOf(document, source).map(({ offset, message }) => ({
      place: placeAt(offset),
      message,
    })),
    placeOf: (path) => placeAt(offsetOf(document, path)),
  }
}

/** Values that contain themselves would be read forever. */
function refuseEndlessAliases(document: Document.Parsed): void {
  visit(document, {
    Alias(_key, alias, parents) {
      const target = alias.resolve(document)
      if (target === undefined || !parents.includes(target)) return
      const { source } = alias
      const [start, end] = alias.range ?? [0, 0]
      const message = `*${source} is inside of &${source}, which has no end`
      document.errors.push(new YAMLParseError([start, end], 'BAD_ALIAS', message))
    },
  })
}

/** Numbers, true and false among the variables of a server become the text that was written, such as 8080 or 1.10. */
function withVariablesAsText(document: Document): Document {
  const servers = isMap(document.contents) ? document.contents.get('mcpServers', true) : undefined
  for (const { value: server } of isMap(servers) ? servers.items : []) {
    const env = isMap(server) ? server.get('env', true) : undefined
    for (const { value } of isMap(env) ? env.items : [])
      if (isScalar(value) && (typeof value.value === 'number' || typeof value.value === 'boolean'))
        value.value = value.source
  }
  return document
}

interface FoundError {
  readonly offset: number
  readonly message: string
}

/** The first error of each line. Others in the line follow from it, as do all errors after an outer brace. */
function syntaxErrorsOf({ errors }: Document, source: string): readonly FoundError[] {
  const found = new Map<number, FoundError>()
  for (const { pos, message } of errors.toSorted((a, b) => a.pos[0] - b.pos[0])) {
    const [offset] = pos
    const lineStart = source.lastIndexOf('\n', offset - 1) + 1
    if (found.has(lineStart)) continue
    const isOuterBrace = offset === lineStart && offset > 0 && source[offset] === '{'
    found.set(lineStart, {
      offset,
      message: isOuterBrace
        ? outerBrace
        : hasBareVariable(source, lineStart, offset)
          ? bareVariable
          : message,
    })
    if (isOuterBrace) break
  }
  return [...found.values()]
}

/** Inside braces, YAML mistakes the brace of a variable for its own. */
function hasBareVariable(source: string, lineStart: number, offset: number): boolean {
  const lineEnd = source.indexOf('\n', offset)
  const line = source.slice(lineStart, lineEnd === -1 ? undefined : lineEnd)
  return /[{[,].*(?<!["'\w])\$\{\w+(?::-[^}]*)?\}/.test(line)
}

const bareVariable = 'in braces or brackets, a variable must be in quotes: "${NAME}"'

const outerBrace =
  'JSON in braces cannot follow other YAML. Remove the outer braces and the spaces before the fields inside them, or write the whole file as JSON, in ostler.json'

function offsetOf(document: Document, path: ConfigPath): number {
  for (let length = path.length; length > 0; length--) {
    const offset = offsetOfExisting(document, path.slice(0, length))
    if (offset !== undefined) return offset
  }
  return document.contents?.range?.[0] ?? 0
}

/** The position of a map's field is its key; the position of a list entry is its value. */
function offsetOfExisting(document: Document, path: ConfigPath): number | undefined {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (isMap(parent)) {
    const pair = parent.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(path.at(-1)),
    )
    return isScalar(pair?.key) ? pair.key.range?.[0] : undefined
  }
  const node: unknown = isCollection(parent) ? parent.get(path.at(-1), true) : undefined
  return isScalar(node) || isCollection(node) ? node.range?.[0] : undefined
}

const stringOrComment = /"[^"\\]*(?:\\[^][^"\\]*)*"|\/\/[^\n\r]*|\/\*[^]*?\*\//g

/** Replaces comments in JSON by spaces, so that all other characters keep their positions. */
export function blankComments(text: string): string {
  return text.replace(stringOrComment, (part) =>
    part.startsWith('"') ? part : part.replace(/[^\n\r]/g, ' '),
  )
}
