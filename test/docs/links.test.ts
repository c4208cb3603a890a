import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const repository = join(import.meta.dirname, '../..')
const pages = globSync(['*.md', '.github/**/*.md', 'docs/**/*.md'], { cwd: repository }).map((page) =>
  join(repository, page),
)

/** A build makes it. */
const built = 'packages/cli/single/'

/** The text without blocks of code, which contain no links. */
function read(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^ *```[^]*?^ *```$/gm, '')
}

/** The names of the headings, as GitHub makes them. */
function anchorsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('every link between pages leads to a file, and to a heading that is in it', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/(?:\]\(|src="|srcset=")([^)"\s]+)[)"]/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return []
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : resolve(dirname(page), path)
      const isThere =
        existsSync(target) &&
        (anchor === undefined || !target.endsWith('.md') || anchorsOf(target).includes(anchor))
      return isThere ? [] : [`${relative(repository, page)}: ${link}`]
    }),
  )
  expect(pages.length).toBeGreaterThan(20)
  expect(broken).toEqual([])
})

test('every file of the repository that a page names is there', () => {
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:test|packages|docs|registry)\/[\w./-]+)`/g)].flatMap(([, path = '']) =>
      ['', '.test.ts'].some((end) => existsSync(join(repository, path + end))) || path.startsWith(built)
        ? []
        : [`${relative(repository, page)}: ${path}`],
    ),
  )
  expect(missing).toEqual([])
})

test('the index of the documentation has every page', () => {
  const index = readFileSync(join(repository, 'docs/README.md'), 'utf8')
  const missing = globSync('docs/*.md', { cwd: repository })
    .map((page) => page.replace('docs/', ''))
    .filter((page) => page !== 'README.md' && !index.includes(`](${page})`))
  expect(missing).toEqual([])
})
