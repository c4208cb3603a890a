import { defineConfig } from 'vite'

/** The page is shipped built. Its content security policy forbids inline code, so nothing may be inlined. */
export default defineConfig({
  root: 'src/page',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../dist/page',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
    // Each page is a chunk, and what several pages share is one more: a request for each small part would cost more than its code.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'shared', test: /src\/page/, minShareCount: 2 }] } },
    },
  },
})
