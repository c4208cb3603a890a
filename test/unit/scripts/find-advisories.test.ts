import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  findAdvisories,
  isInRange,
  lockedPackages,
  type AdvisoryList,
} from '../../scripts/find-advisories.ts'

const repository = join(import.meta.dirname, '../../..')
const lockfile = `lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      hay@1.0.0:
        version: 1.0.0

packages:

  '@stable/oats@2.0.0-beta.2':
    resolution: {integrity: sha512-x}
    engines: {node: '>=20'}

  hay@1.2.2:
    resolution: {integrity: sha512-y}

  hay@1.2.3:
    resolution: {integrity: sha512-z}

snapshots:

  straw@1.0.0: {}
`
const list: AdvisoryList = {
  collected: '2026-11-01',
  advisories: [
    { package: 'hay', vulnerable: '<1.2.3', patched: '1.2.3', id: 'GHSA-hay' },
    { package: 'straw', vulnerable: '<2.0.0', patched: '2.0.0', id: 'GHSA-straw' },
  ],
}
const today = new Date('2026-11-19')

test('a vulnerable version is found, and the report says what to use', () => {
  expect(findAdvisories(lockfile, list, today)).toEqual({
    isVulnerable: true,
    lines: [
      'hay 1.2.2 is vulnerable (GHSA-hay). Use 1.2.3 or newer.',
      'Advisories: 3 packages compared with 2 advisories of 2026-11-01, 1 found.',
    ],
  })
  expect(findAdvisories(lockfile.replace('hay@1.2.2', 'hay@1.2.4'), list, today).isVulnerable).toBe(false)
})

test('an old list is called stale, and a missing one is not passed over in silence', () => {
  expect(findAdvisories(lockfile, list, new Date('2027-01-01')).lines.at(-1)).toBe(
    'The list is stale: it is 61 days old. Renew it (see CONTRIBUTING.md).',
  )
  expect(findAdvisories(lockfile, undefined, today)).toEqual({
    isVulnerable: false,
    lines: ['Advisories: skipped, because there is no list of them.'],
  })
  expect(() => findAdvisories('nothing', list, today)).toThrow('names no packages')
})

test('the packages of the lockfile are those of its section', () => {
  expect(lockedPackages(lockfile).map(({ name, version }) => `${name} ${version}`)).toEqual([
    '@stable/oats 2.0.0-beta.2',
    'hay 1.2.2',
    'hay 1.2.3',
  ])
  const own = readFileSync(join(repository, 'pnpm-lock.yaml'), 'utf8')
  expect(lockedPackages(own)).toHaveLength(own.match(/^ {4}resolution: /gm)?.length ?? 0)
})

test('the list in the repository is well-formed, and about packages that are locked', () => {
  const { advisories } = JSON.parse(
    readFileSync(join(repository, 'test/scripts/advisories.json'), 'utf8'),
  ) as AdvisoryList
  const names = new Set(
    lockedPackages(readFileSync(join(repository, 'pnpm-lock.yaml'), 'utf8')).map(({ name }) => name),
  )
  for (const advisory of advisories) {
    expect(isInRange(advisory.patched, advisory.vulnerable), advisory.id).toBe(false)
    expect(names.has(advisory.package), advisory.package).toBe(true)
    expect(advisory.id).toMatch(/^(?:GHSA(?:-[a-z\d]{4}){3}|CVE-\d{4}-\d{4,})$/)
  }
})

test.each([
  ['1.2.2', '<1.2.3', true],
  ['1.2.3', '<1.2.3', false],
  ['1.2.3', '<=1.2.3', true],
  ['1.10.0', '>1.9.9', true],
  ['1.2.3-beta.2', '<1.2.3', true],
  ['1.2.3-beta.10', '>1.2.3-beta.9', true],
  ['1.2.3-beta', '<1.2.3-beta.1', true],
  ['1.2.3-1', '<1.2.3-alpha', true],
  ['2.5.0', '>=1.0.0 <2.0.0 || =2.5.0', true],
  ['2.4.0', '>=1.0.0 <2.0.0 || =2.5.0', false],
  ['0.9.0', '>=1.0.0 <2.0.0', false],
])('%s in %s: %s', (version, range, expected) => expect(isInRange(version, range)).toBe(expected))

test('a range that is not understood is an error', () => {
  expect(() => isInRange('1.0.0', '^1.0.0')).toThrow("'^1.0.0' is not a comparator")
})

test('the published command names its native packages exactly', () => {
  const { optionalDependencies } = JSON.parse(
    readFileSync(join(repository, 'packages/cli/package.json'), 'utf8'),
  ) as {
    optionalDependencies: Record<string, string>
  }
  for (const version of Object.values(optionalDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
})
