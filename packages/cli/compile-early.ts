import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rehearse } from './rehearse.ts'
import { childrenIn, isFunction, nameOf, parse, type Node } from './syntax-tree.ts'

/** Where each function begins that ran, by the file that it is in. */
type RanFunctions = ReadonlyMap<string, ReadonlySet<number>>

/**
 * Lets V8 compile the functions that run until a first prompt has ended together with their files. It compiles any other function at its
 * first call, so Node's compile cache, which is made when a file is loaded, lacks it.
 */
export async function compileEarly(dist: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ostler-build-'))
  try {
    await rehearse(join(dist, 'ostler.js'), folder)
    for (const [file, starts] of readCoverage(folder, dist))
      writeFileSync(file, toEarlyCode(readFileSync(file, 'utf8'), starts))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

function readCoverage(folder: string, dist: string): RanFunctions {
  const scripts = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage).result)
    .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(dist))
  return new Map(
    scripts.map(({ url, functions }) => {
      const ran = functions.flatMap(({ ranges: [all] }) => (all !== undefined && all.count > 0 ? [all] : []))
      return [fileURLToPath(url), new Set(ran.map(({ startOffset }) => startOffset))]
    }),
  )
}

/**
 * V8 compiles a function in parentheses together with its file. A declaration cannot have any, so it becomes a variable that gets its value
 * where the declaration would: at the top of its function or file. `starts`: where the functions begin that are compiled early.
 */
export function toEarlyCode(code: string, starts: ReadonlySet<number>): string {
  return textOf(parse(code), undefined)

  function textOf(node: Node, parent: Node | undefined): string {
    const isScope = parent === undefined || (node.type === 'BlockStatement' && isFunction(parent))
    const text = isScope ? scopeOf(node) : partsOf(node).join('')
    return isExpression(node, parent) && starts.has(node.start) ? `(${text})` : text
  }

  function scopeOf(node: Node): string {
    const isMoved = (child: Node) => child.type === 'FunctionDeclaration' && starts.has(child.start)
    const moved = childrenIn(node, 'body').filter(isMoved)
    if (moved.length === 0) return partsOf(node).join('')
    // The name of an expression could not get another value, as that of a declaration can.
    const anonymous = (child: Node) =>
      partsOf(child, (part) => (part === child['id'] ? '' : textOf(part, child)))
    const values = moved.map((child) => `${nameOf(child['id'])}=(${anonymous(child).join('')})`)
    const first = childrenIn(node, 'body').find(({ directive }) => typeof directive !== 'string')
    return partsOf(node, (child) => {
      const text = isMoved(child) ? ';' : textOf(child, node)
      return child === first ? `var ${values.join(',')};${text}` : text
    }).join('')
  }

  /** The texts of its children, and what is between them. */
  function partsOf(node: Node, toText = (child: Node) => textOf(child, node)): string[] {
    let at = node.start
    const parts: string[] = []
    for (const child of childrenOf(node)) {
      // The name and the value of a shorthand property are one text.
      if (child.start < at) continue
      parts.push(code.slice(at, child.start), toText(child))
      at = child.end
    }
    return [...parts, code.slice(at, node.end)]
  }
}

function childrenOf(node: Node): Node[] {
  return Object.keys(node)
    .flatMap((field) => childrenIn(node, field))
    .toSorted((one, other) => one.start - other.start)
}

/** A method, a getter or a setter has its function as a value that is not an expression. */
function isExpression(node: Node, parent: Node | undefined): boolean {
  if (node.type === 'ArrowFunctionExpression') return true
  const isMethod =
    parent?.type === 'MethodDefinition' ||
    parent?.['method'] === true ||
    ['get', 'set'].includes(String(parent?.['kind']))
  return node.type === 'FunctionExpression' && !isMethod
}
