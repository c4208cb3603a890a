import type { Plugin } from 'rolldown'
import { childrenIn, isFunction, isNode, nameOf, parse, type Node } from './syntax-tree.ts'

/** A top-level constant that is computed on first use. */
interface Lazy {
  readonly declaration: Node
  readonly value: Node
  /** The statement after an import with a default, which is the module itself: `x = __toESM(x)`. */
  readonly wrapping: Node | undefined
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Loads Node's modules, and the chunks that `isLazy` accepts, when they are first used. A top-level constant that is made with one of them,
 * such as a schema, is made on first use as well. So a start pays only for what it uses.
 */
export function loadOnUse(isLazy: (chunk: string) => boolean): Plugin {
  return { name: 'load-on-use', renderChunk: (code) => ({ code: toLazyCode(code, isLazy) }) }
}

/** `code` is a CommonJS module before it is minified. */
export function toLazyCode(code: string, isLazy: (chunk: string) => boolean): string {
  const program = parse(code)
  const lazies = findLazies(program, isLazy)
  const edits = [...lazies].flatMap(([name, lazy]) => toDeclaration(name, lazy))
  forEachReference(program, (node, parent) => {
    const name = String(node['name'])
    const lazy = lazies.get(name)
    if (lazy !== undefined && !isInside(node, lazy.wrapping)) edits.push(toCall(node, parent, name, lazy))
  })
  return applyEdits(code, edits)
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  let at = 0
  const pieces = edits
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({ start, end, text }) => {
      const kept = code.slice(at, start)
      at = end
      return [kept, text]
    })
  return [...pieces, code.slice(at)].join('')
}

function toDeclaration(name: string, { declaration, value, wrapping }: Lazy): Edit[] {
  const edits = [
    {
      start: declaration.start,
      end: value.start,
      text: `let ${name}$; const ${name} = () => ${name}$ ??= (`,
    },
    { start: value.end, end: declaration.end, text: ');' },
  ]
  return wrapping === undefined ? edits : [...edits, { start: wrapping.start, end: wrapping.end, text: '' }]
}

/** The parentheses are for `new (x()).Y()`, which would otherwise call x with `new`. */
function toCall(node: Node, parent: Node, name: string, { wrapping }: Lazy): Edit {
  const isDefault =
    wrapping !== undefined && parent.type === 'MemberExpression' && nameOf(parent['property']) === 'default'
  const isShorthand = parent.type === 'Property' && parent['shorthand'] === true
  return {
    start: node.start,
    end: isDefault ? parent.end : node.end,
    text: isShorthand ? `${name}: ${name}()` : `(${name}())`,
  }
}

function findLazies(program: Node, isLazy: (chunk: string) => boolean): Map<string, Lazy> {
  const lazies = new Map<string, Lazy>()
  const statements = childrenIn(program, 'body')
  const assigned = new Set(assignedIn(program))
  for (const [index, declaration] of statements.entries()) {
    const [declarator, ...others] = childrenIn(declaration, 'declarations')
    const [name, value] = [nameOf(declarator?.['id']), declarator?.['init']]
    if (name === undefined || !isNode(value) || others.length > 0) continue
    const required = requiredBy(value)
    if (
      required === undefined
        ? (declaration['kind'] === 'const' || !assigned.has(name)) && usesNow(value, lazies)
        : isLazy(required)
    )
      lazies.set(name, { declaration, value, wrapping: wrappingOf(name, statements[index + 1]) })
  }
  return lazies
}

function requiredBy(value: Node): string | undefined {
  const [argument] = childrenIn(value, 'arguments')
  const isRequire = value.type === 'CallExpression' && nameOf(value['callee']) === 'require'
  return isRequire && typeof argument?.['value'] === 'string' ? argument['value'] : undefined
}

function wrappingOf(name: string, next: Node | undefined): Node | undefined {
  const assignment = next?.['expression']
  return isNode(assignment) && nameOf(assignment['left']) === name ? next : undefined
}

/** Whether the value needs a lazy constant as soon as it is computed. Its functions need theirs later. */
function usesNow(value: Node, lazies: ReadonlyMap<string, Lazy>): boolean {
  if (value.type === 'Identifier') return lazies.has(String(nameOf(value)))
  return !isFunction(value) && usesIn(value).some((child) => usesNow(child, lazies))
}

/** Calls `visit` for each use of a name that is not declared in a function or block around it. */
function forEachReference(program: Node, visit: (node: Node, parent: Node) => void): void {
  function walk(node: Node, parent: Node, hidden: ReadonlySet<string>): void {
    if (node.type === 'Identifier') {
      if (!hidden.has(String(nameOf(node)))) visit(node, parent)
      return
    }
    const names = node === program ? [] : declaredIn(node)
    const inner = names.length === 0 ? hidden : new Set([...hidden, ...names])
    for (const child of usesIn(node)) walk(child, node, inner)
  }
  walk(program, program, new Set())
}

/** The children of a node without the identifiers that are only names: of properties, labels and declarations. */
function usesIn(node: Node): Node[] {
  const isName = (field: string) =>
    (['property', 'key'].includes(field) && node['computed'] !== true) ||
    field === 'label' ||
    (field === 'id' && nameOf(node['id']) !== undefined)
  return Object.keys(node).flatMap((field) => (isName(field) ? [] : childrenIn(node, field)))
}

/** The names that a function, a block, a loop, a `catch` or a class declares for what is inside. */
function declaredIn(node: Node): string[] {
  if (isFunction(node))
    return [
      ...childrenIn(node, 'params').flatMap(boundBy),
      ...hoistedIn(node),
      ...(node.type === 'FunctionExpression' ? boundBy(node['id']) : []),
    ]
  if (node.type === 'CatchClause') return boundBy(node['param'])
  if (node.type === 'ClassExpression') return boundBy(node['id'])
  const statements =
    node.type === 'SwitchStatement'
      ? childrenIn(node, 'cases').flatMap((each) => childrenIn(each, 'consequent'))
      : ['body', 'init', 'left'].flatMap((field) => childrenIn(node, field))
  return statements.flatMap(declaredBy)
}

function declaredBy(statement: Node): string[] {
  if (statement.type === 'VariableDeclaration')
    return childrenIn(statement, 'declarations').flatMap(({ id }) => boundBy(id))
  return statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration'
    ? boundBy(statement['id'])
    : []
}

/** `var` declares for the whole function. */
function hoistedIn(node: Node): string[] {
  return usesIn(node).flatMap((child) => {
    if (isFunction(child)) return []
    return [...(child['kind'] === 'var' ? declaredBy(child) : []), ...hoistedIn(child)]
  })
}

/** The names that get another value somewhere, whichever variables they are. */
function assignedIn(node: Node): string[] {
  const targets = {
    AssignmentExpression: 'left',
    UpdateExpression: 'argument',
    ForInStatement: 'left',
    ForOfStatement: 'left',
  }
  const field = targets[node.type as keyof typeof targets]
  return [...(field === undefined ? [] : boundBy(node[field])), ...usesIn(node).flatMap(assignedIn)]
}

/** The names in a pattern. */
function boundBy(pattern: unknown): string[] {
  if (!isNode(pattern)) return []
  const name = nameOf(pattern)
  if (name !== undefined) return [name]
  const parts = {
    AssignmentPattern: 'left',
    Property: 'value',
    RestElement: 'argument',
    ObjectPattern: 'properties',
    ArrayPattern: 'elements',
  }
  const field = parts[pattern.type as keyof typeof parts]
  return field === undefined ? [] : childrenIn(pattern, field).flatMap(boundBy)
}

function isInside(node: Node, outer: Node | undefined): boolean {
  return outer !== undefined && node.start >= outer.start && node.end <= outer.end
}
