import { expect, test } from 'vitest'
import { toPublishedManifest } from '../../scripts/to-published-manifest.ts'

const workspace = { versions: { '@ostler/agent-api': '1.2.3' }, catalog: { zod: '^4.0.0' } }

test('ranges of the workspace become versions, and parts for development are left out', () => {
  const manifest = {
    name: 'a',
    version: '1.2.3',
    exports: { '.': './src/index.ts' },
    scripts: { build: 'tsc' },
    dependencies: { '@ostler/agent-api': 'workspace:*', zod: 'catalog:', yaml: '^2.0.0' },
    optionalDependencies: { keyring: '^2.0.0' },
    devDependencies: { vite: '^8.0.0' },
    publishConfig: { access: 'public', provenance: true, exports: { '.': './dist/index.js' } },
  }
  expect(toPublishedManifest(manifest, workspace)).toEqual({
    name: 'a',
    version: '1.2.3',
    exports: { '.': './dist/index.js' },
    dependencies: { '@ostler/agent-api': '1.2.3', zod: '^4.0.0', yaml: '^2.0.0' },
    optionalDependencies: { keyring: '^2.0.0' },
    publishConfig: { access: 'public', provenance: true },
  })
})

test('a range without a version is an error that names it', () => {
  const manifest = { name: 'a', version: '1.0.0', dependencies: { lost: 'workspace:*' } }
  expect(() => toPublishedManifest(manifest, workspace)).toThrow('lost (workspace:*)')
})
