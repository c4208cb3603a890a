import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const repository = join(import.meta.dirname, '../..')
const formatter = join(repository, 'node_modules/.bin/oxfmt')
const sources = join(repository, 'packages/agent-api/src')

export const examplesPath = join(repository, 'packages/agent-api/examples')
export const libraryPath = join(repository, 'docs/library.md')
export const libraryApiPath = join(repository, 'docs/library-api.md')

/** Returns docs/library.md with each example as its file is now. A link to the file stands above each. */
export async function withExamples(page: string): Promise<string> {
  const block = /(\/agent-api\/examples\/([\w-]+\.ts)\)[^\n]*\n\n)```ts\n[^]*?```/g
  return page.replaceAll(block, (_, before: string, name: string) => {
    return `${before}\`\`\`ts\n${readFileSync(join(examplesPath, name), 'utf8')}\`\`\``
  })
}

/** Returns docs/library-api.md, formatted. Throws if a name of the public door has no comment. */
export async function libraryApiPage(): Promise<string> {
  return execFileSync(formatter, ['--stdin-filepath', libraryApiPath], {
    input: await unformattedPage(),
    encoding: 'utf8',
  })
}

interface Declaration {
  readonly name: string
  readonly file: string
  readonly comment: string
  /** As in the source, without the body of a function. */
  readonly text: string
  /** Names in it that are declared in this package. */
  readonly uses: readonly Reference[]
}

type Reference = Pick<Declaration, 'name' | 'file'>

interface Section {
  readonly title: string
  readonly declarations: readonly Declaration[]
}

async function unformattedPage(): Promise<string> {
  const sections = await readDoor('index.ts')
  const named = sections.flatMap(({ declarations }) => declarations)
  const uncommented = named.filter(({ comment }) => comment === '').map(({ name }) => name)
  if (uncommented.length > 0)
    throw new Error(`${uncommented.join(', ')}: write a comment for each public name`)
  const parts = await partsOf(named)
  const known = new Set([...named, ...parts].map(({ name }) => name))
  const all = [
    ...sections,
    { title: 'Parts of these types, which have no name in the door', declarations: parts },
  ]
  return `<!-- Made by test/scripts/write-library.ts from the types. Edit those. -->

# The API of \`@ostler/agent-api\`

Everything that the entry \`.\` exports. [library.md](library.md) explains it with examples, and says what stays stable.

${all.map((section) => toSection(section, known)).join('\n\n')}
`
}

function toSection({ title, declarations }: Section, known: ReadonlySet<string>): string {
  const entries = declarations.map(({ name, comment, text, uses }) => {
    const links = [...new Set(uses.map((use) => use.name))]
      .filter((use) => use !== name && known.has(use))
      .map((use) => `[${use}](#${use.toLowerCase()})`)
    return [
      `### ${name}`,
      comment,
      `\`\`\`ts\n${text}\n\`\`\``,
      links.length > 0 ? `Uses ${links.join(', ')}` : '',
    ]
      .filter(Boolean)
      .join('\n\n')
  })
  return [`## ${title}`, ...entries].join('\n\n')
}

/** The exports of a file that only exports, under its comments. */
async function readDoor(path: string): Promise<Section[]> {
  const file = join(sources, path)
  const text = await readFile(file, 'utf8')
  const sections: { title: string; declarations: Declaration[] }[] = []
  let end = text.indexOf('\n\n')
  for (const node of parse(text)) {
    const title = /^\/\/ (.+)\.$/m.exec(text.slice(end, node.start))?.[1]
    if (title !== undefined) sections.push({ title, declarations: [] })
    end = node.end
    if (node.type !== 'ExportNamedDeclaration' || node.source === null) continue
    for (const { local } of node.specifiers) {
      sections
        .at(-1)
        ?.declarations.push(
          await findDeclaration({ name: nameOf(local), file: resolve(file, '..', node.source.value) }),
        )
    }
  }
  return sections
}

/** Types that only the packages here can open, and pass to an agent. */
const inner: ReadonlySet<string> = new Set(['State', 'Logins'])

/** Types that the given ones are made of, and theirs. */
async function partsOf(named: readonly Declaration[]): Promise<Declaration[]> {
  const seen = new Set(named.map(keyOf))
  const parts: Declaration[] = []
  let next = named.flatMap(({ uses }) => uses)
  while (next.length > 0) {
    const found = await Promise.all(
      next
        .filter((use) => !inner.has(use.name) && !seen.has(keyOf(use)) && seen.add(keyOf(use)))
        .map(findDeclaration),
    )
    parts.push(...found)
    next = found.flatMap(({ uses }) => uses)
  }
  return parts.toSorted((a, b) => a.name.localeCompare(b.name))
}

function keyOf({ name, file }: Reference): string {
  return `${file} ${name}`
}

type Program = ReturnType<typeof parseAst>
type Statement = Program['body'][number]

const parsed = new Map<string, readonly Statement[]>()

function parse(text: string): readonly Statement[] {
  const statements = parsed.get(text) ?? parseAst(text, { lang: 'ts' }).body
  parsed.set(text, statements)
  return statements
}

async function findDeclaration({ name, file }: Reference): Promise<Declaration> {
  const text = await readFile(file, 'utf8')
  const statements = parse(text)
  const places = placesOf(statements, file)
  for (const [index, statement] of statements.entries()) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared === null || !namesOf(declared).includes(name)) continue
    const end =
      declared.type === 'FunctionDeclaration' && declared.body !== null ? declared.body.start : declared.end
    const before = text.slice(statements[index - 1]?.end ?? 0, statement.start)
    return {
      name,
      file,
      comment: toText(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*$/.exec(before)?.[1] ?? ''),
      text: text.slice(declared.start, end).trimEnd(),
      uses: [...typeNames(declared)].flatMap((each) => places.get(each) ?? []),
    }
  }
  throw new Error(`${file} does not declare ${name}`)
}

/** The declaration of each name that a file declares or imports from this package. */
function placesOf(statements: readonly Statement[], file: string): ReadonlyMap<string, Reference> {
  const places = new Map<string, Reference>()
  for (const statement of statements) {
    if (statement.type === 'ImportDeclaration') {
      if (!statement.source.value.startsWith('.')) continue
      const from = resolve(file, '..', statement.source.value)
      for (const each of statement.specifiers)
        if (each.type === 'ImportSpecifier')
          places.set(each.local.name, { name: nameOf(each.imported), file: from })
      continue
    }
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    for (const name of declared === null ? [] : namesOf(declared)) places.set(name, { name, file })
  }
  return places
}

function namesOf(declared: object): string[] {
  if ('id' in declared && isNode(declared.id) && declared.id['type'] === 'Identifier')
    return [String(declared.id['name'])]
  if (!('declarations' in declared) || !Array.isArray(declared.declarations)) return []
  return declared.declarations.flatMap((each: object) => namesOf(each))
}

function nameOf(node: { readonly name?: string; readonly value?: unknown }): string {
  return node.name ?? String(node.value)
}

type Node = Readonly<Record<string, unknown>>

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

/** The names of types in a declaration. The bodies of functions and the values of constants are not part of it. */
function* typeNames(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const each of node) yield* typeNames(each)
  if (!isNode(node) || Array.isArray(node)) return
  const { type } = node
  const named =
    type === 'TSTypeReference'
      ? node['typeName']
      : type === 'TSInterfaceHeritage'
        ? node['expression']
        : type === 'TSTypeQuery'
          ? node['exprName']
          : undefined
  if (isNode(named) && named['type'] === 'Identifier') yield String(named['name'])
  for (const [key, value] of Object.entries(node))
    if (key !== 'body' || type !== 'FunctionDeclaration') yield* typeNames(value)
}

/** A comment without its frame, in one line a paragraph. */
function toText(comment: string): string {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\*?\s*/, '').trim())
  return lines
    .join('\n')
    .trim()
    .replaceAll(/\n(?!\n)/g, ' ')
}
