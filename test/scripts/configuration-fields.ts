import { toAgentFileJsonSchema } from '@ostler/agent-api/internal'

interface Node {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly const?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Node | boolean
  readonly items?: Node
  readonly oneOf?: readonly Node[]
  readonly anyOf?: readonly Node[]
}

interface Field {
  readonly name: string
  readonly node: Node
  readonly required: boolean
  /** The kinds of the object that have this field. Empty if all have it. */
  readonly kinds: readonly string[]
}

/** Describes the agent file's fields in Markdown, one section per object, from the JSON Schema for editors. */
export function configurationFields(): string {
  const sections: string[] = []
  /** Objects of the same shape are described once. */
  const titles = new Map<string, string>()
  addSection('The file', toAgentFileJsonSchema())
  return sections.join('\n\n')

  function addSection(title: string, node: Node): string {
    const key = JSON.stringify(node.properties ?? node.oneOf)
    const known = titles.get(key)
    if (known !== undefined) return known
    titles.set(key, title)
    const place = sections.push('') - 1
    const prefix = title === 'The file' ? '' : `${title.replaceAll('`', '')}.`
    const rows = fieldsOf(node).map((field) => toRow(field, typeOf(field.node, `${prefix}${field.name}`)))
    const text = [sentence(node.description ?? ''), sentence(kindsText(node))]
      .filter((part) => part !== '')
      .join('\n\n')
    sections[place] =
      `### ${title}\n\n${text}\n\n| Field | Value | Default | |\n| --- | --- | --- | --- |\n${rows.join('\n')}`
    return title
  }

  /** The type of a value. An object gets its own section. */
  function typeOf(node: Node, path: string): string {
    if (node.const !== undefined) return `\`${node.const}\``
    if (node.enum !== undefined) return node.enum.map((value) => `\`${value}\``).join(', ')
    if (Array.isArray(node.type)) return '[duration](#durations)'
    if (node.anyOf !== undefined) return node.anyOf.map((branch) => typeOf(branch, path)).join(', or ')
    if (node.items !== undefined) return `list of ${plural(typeOf(node.items, `${path}[]`))}`
    if (node.oneOf !== undefined || node.properties !== undefined)
      return linkTo(addSection(`\`${path}\``, node))
    if (typeof node.additionalProperties === 'object') {
      const each = node.additionalProperties
      return each.type === 'string' ? 'map of texts' : `${typeOf(each, `${path}.NAME`)} by name`
    }
    if (node.type === 'integer') return `${node.minimum} to ${node.maximum}`
    return node.type === 'string' ? 'text' : (node.type as string)
  }
}

/** The fields of all kinds of an object: `type` first, then common fields, then the others. */
function fieldsOf(node: Node): Field[] {
  const kinds = node.oneOf ?? [node]
  const names = [...new Set(kinds.flatMap(({ properties = {} }) => Object.keys(properties)))]
  return names.map((name): Field => {
    const having = kinds.filter(({ properties }) => properties?.[name] !== undefined)
    const [first] = having
    const own =
      name === 'type' && node.oneOf !== undefined
        ? { enum: kinds.map(kindOf), description: describeKind(kinds) }
        : (first?.properties?.[name] ?? {})
    return {
      name,
      node: own,
      required: having.every(({ required: names = [], anyOf: [rule] = [] }) =>
        [...names, ...(rule?.required ?? [])].includes(name),
      ),
      kinds: having.length === kinds.length ? [] : having.map(kindOf),
    }
  })
}

function describeKind(kinds: readonly Node[]): string {
  const isGuessed = kinds.some(({ required = [] }) => !required.includes('type'))
  return isGuessed ? 'Selects the kind. The command or the URL tells it if it is missing' : 'Selects the kind'
}

function kindOf({ properties }: Node): string {
  const type = properties?.['type']
  return type?.const ?? type?.enum?.[0] ?? ''
}

function kindsText(node: Node): string {
  const described = (node.oneOf ?? []).filter(({ description }) => description !== undefined)
  return described.map((kind) => `\`${kindOf(kind)}\`: ${lowerFirst(kind.description ?? '')}`).join('. ')
}

/** A default that the schema cannot express is given in parentheses at the end of the description. */
const trailingDefault = / \(([^()]+)\)$/

function toRow({ name, node, required, kinds }: Field, type: string): string {
  const description = node.description ?? ''
  const fallback = trailingDefault.exec(description)?.[1]
  const value = required ? 'required' : (toDefault(node) ?? (fallback === undefined ? '' : `\`${fallback}\``))
  const kindNote = kinds.length === 0 ? '' : `Only ${kinds.map((kind) => `\`${kind}\``).join(' and ')}.`
  return `| ${[`\`${name}\``, type, value, `${kindNote} ${sentence(description.replace(trailingDefault, ''))}`.trim()].map(cell).join(' | ')} |`
}

function toDefault({ default: value, type }: Node): string | undefined {
  if (value === undefined || JSON.stringify(value) === '{}') return undefined
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `\`${JSON.stringify(value)}\``
  if (typeof value === 'object')
    return Object.values(value as object)
      .map((part) => `\`${part}\``)
      .join(', ')
  return Array.isArray(type) && typeof value === 'number' ? `\`${value / 1_000}s\`` : `\`${value}\``
}

/** A `|` would start the next cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function sentence(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text}.`
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

function plural(type: string): string {
  return type === 'text' ? 'texts' : type
}

function linkTo(title: string): string {
  return `[${title}](#${title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')})`
}
