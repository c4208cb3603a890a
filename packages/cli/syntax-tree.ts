import { parseAst } from 'rolldown/parseAst'

/** A node of the syntax tree, in the shape of ESTree. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** `code` is a CommonJS module. */
export function parse(code: string): Node {
  return parseAst(code, { sourceType: 'script' }) as unknown as Node
}

export function childrenIn(node: Node, field: string): Node[] {
  const value = node[field]
  return (Array.isArray(value) ? value : [value]).filter(isNode)
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

export function isFunction({ type }: Node): boolean {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type)
}

export function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node['name']) : undefined
}
