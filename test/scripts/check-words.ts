import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findWords } from './find-words.ts'

/** Part of `pnpm check`: pages, comments and messages are written as docs/style.md says. */
const repository = join(import.meta.dirname, '../..')
const sources = ['packages/*/{src,examples}/**/*.{ts,tsx,css}', 'packages/*/*.{ts,md}']
const pages = ['*.md', 'docs/**/*.md', '.github/**/*.md']
/** The page with the pairs. */
const exception = 'docs/style.md'

const problems = globSync([...sources, ...pages], { cwd: repository })
  .filter((path) => path !== exception)
  .flatMap((path) =>
    findWords(path, readFileSync(join(repository, path), 'utf8')).map(
      ({ line, words, instead }) => `${path}:${line}: "${words}": ${instead}`,
    ),
  )
for (const problem of problems) console.error(problem)
if (problems.length > 0) console.error('docs/style.md says how we write.')
process.exitCode = problems.length > 0 ? 1 : 0
