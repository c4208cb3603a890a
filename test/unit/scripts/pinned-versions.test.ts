import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const repository = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const { packageManager, optionalDependencies } = JSON.parse(read('package.json')) as {
  packageManager: string
  optionalDependencies: Record<string, string>
}

test('every command that names a version of pnpm names the one of package.json', () => {
  const files = globSync(
    ['*.md', 'docs/**/*.md', '.ci/*', 'test/scripts/*', 'packages/cli/{*.md,src/ostler.ts}'],
    { cwd: repository, exclude: ['docs/decisions'] },
  )
  const named = files.flatMap((path) =>
    [...read(path).matchAll(/pnpm@[\d.]*\d/g)].map(([version]) => `${path}: ${version}`),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((line) => !line.endsWith(` ${packageManager}`))).toEqual([])
})

test('.nvmrc names the Node of the workspace', () => {
  expect(new Set(Object.values(optionalDependencies))).toEqual(new Set([read('.nvmrc').trim()]))
})

test('every package.json names the repository of the registry, its folder, and where to report', () => {
  const { repository: url } = JSON.parse(read('registry/agent.json')) as { repository: string }
  const manifests = globSync(['package.json', '{packages/*,test,test/conformance}/package.json'], {
    cwd: repository,
  })
  for (const path of manifests) {
    const folder = path.replace(/\/?package\.json$/, '')
    expect({ path, ...(JSON.parse(read(path)) as object) }).toMatchObject({
      path,
      homepage: `${url}#readme`,
      bugs: `${url}/issues`,
      repository: { type: 'git', url: `git+${url}.git`, ...(folder !== '' && { directory: folder }) },
    })
  }
})
