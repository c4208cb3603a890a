import { expect, test } from 'vitest'
import { releaseProblems, type ReleaseState } from '../../scripts/release-problems.ts'

const ready: ReleaseState = {
  manifests: [
    { name: '@ostler/cli', version: '1.2.3', repository: 'https://example.com/ostler' },
    { name: '@ostler/console', version: '1.2.3', private: true },
  ],
  registry: { version: '1.2.3', distribution: { npx: { package: '@ostler/cli@1.2.3' } } },
  changelog: '# Changelog\n\n## 1.2.3 (2026-11-19)\n\n- Something.\n',
  changedFiles: [],
  branch: 'main',
  tagsHere: ['v1.2.3'],
  tags: ['v1.2.2', 'v1.2.3'],
}

test('a commit with one version, a changelog, its tag and no changes can be released', () => {
  expect(releaseProblems(ready)).toEqual([])
})

test.for<[string, Partial<ReleaseState>, RegExp]>([
  [
    'different versions',
    { manifests: [...ready.manifests, { name: 'other', version: '2.0.0' }] },
    /different versions \(1\.2\.3, 2\.0\.0\)/,
  ],
  [
    'another version in the registry',
    { registry: { ...ready.registry, version: '1.2.2' } },
    /registry\/agent\.json has another version\. Set 1\.2\.3 /,
  ],
  [
    'another package in the registry',
    { registry: { version: '1.2.3', distribution: { npx: { package: '@ostler/cli@11.2.2' } } } },
    /registry\/agent\.json has another version/,
  ],
  ['no section in the changelog', { changelog: '## 1.2.2 (2026-11-01)' }, /no section for 1\.2\.3/],
  ['a section without a date', { changelog: '## 1.2.3 (soon)' }, /has no date/],
  ['changed files', { changedFiles: [' M README.md'] }, /changed files first: M README\.md/],
  ['another branch', { branch: 'feature' }, /from main, but the current branch is 'feature'/],
  ['no tag', { tagsHere: [], tags: [] }, /git tag v1\.2\.3/],
  ['a tag on another commit', { tagsHere: [] }, /on another commit/],
  [
    'no repository',
    { manifests: [{ name: '@ostler/cli', version: '1.2.3' }] },
    /@ostler\/cli has no repository/,
  ],
  [
    'an invalid version',
    { manifests: [{ name: 'x', version: '1.2', repository: 'y' }] },
    /'1\.2' is not a version/,
  ],
])('%s is a problem', ([, change, problem]) => {
  expect(releaseProblems({ ...ready, ...change }).join('\n')).toMatch(problem)
})
