import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type OutputOptions } from 'rolldown'
import { loadOnUse } from './load-on-use.ts'

const entryName = 'ostler.js'

export const output: OutputOptions = {
  dir: 'dist',
  // A module of ECMAScript loads what it imports before it runs. `require` can wait until something is used.
  format: 'cjs',
  strict: true,
  minify: true,
  // One character beyond Latin-1 makes V8 keep the text of its whole file with two bytes per character.
  charset: 'ascii',
  // A worker starts from its own file, next to the chunk that starts it.
  entryFileNames: ({ name }) => (name === 'ostler' ? entryName : 'chunks/[name].js'),
  chunkFileNames: 'chunks/[name].js',
  // Every file takes time to find and to read, so there is one for each moment of a start: the launcher, which checks Node and enables the
  // compile cache; the first answer; the first session; and what an open session uses: its clients and commands. A group also takes in what
  // its modules import, except that the session needs the same before it is open.
  codeSplitting: {
    groups: [
      { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/]/, priority: 4 },
      { name: 'yaml', test: /[\\/]node_modules[\\/]yaml[\\/]/, priority: 4 },
      { name: 're2js', test: /[\\/]node_modules[\\/]re2js[\\/]/, priority: 4 },
      { name: 'acp-schemas', test: /[\\/]zod\.gen\.js$/, priority: 4 },
      {
        name: 'launch',
        test: /[\\/](cli[\\/]src[\\/]state[\\/]state-dir|base[\\/]file-owner)\.ts$/,
        priority: 4,
      },
      { name: 'start', test: /[\\/]cli[\\/]src[\\/](run-process|commands[\\/]acp)\.ts$/, priority: 3 },
      {
        name: 'opened',
        test: /agent-api[\\/]src[\\/](session[\\/]commands[\\/]|processes[\\/]|mcp[\\/](client-requests|connection-driver|connection-state|connector|link|open-mcp-client)\.ts)/,
        priority: 3,
        includeDependenciesRecursively: false,
      },
      {
        name: 'session',
        test: /[\\/](commands[\\/]acp[\\/]open-agent|acp-server[\\/]src[\\/]acp-agent)\.ts$/,
        priority: 2,
      },
    ],
  },
}

/** Chunks that are not loaded before something of them is used. */
const lazyChunks = new Set(['./zod.js', './yaml.js', './re2js.js', './acp-schemas.js', './opened.js'])

/** The MCP SDK builds its 170 schemas to register them by name. Here it registers how to build each. */
const lazySpecSchemas = [
  [
    /const authSchemas = \{[^}]*\}/,
    (all: string) => all.replaceAll(/^\t(\w+)/gm, '\tget $1() { return $1 }'),
  ],
  [
    '_specTypeSchemas[name] = schema;',
    'Object.defineProperty(_specTypeSchemas, name, { enumerable: true, get: schema });',
  ],
  ['schema.safeParse(v)', 'schema().safeParse(v)'],
  ['register(key, schemas_exports[key])', 'register(key, () => schemas_exports[key])'],
  [
    'for (const [key, schema] of Object.entries(authSchemas)) register(key, schema)',
    'for (const key of Object.keys(authSchemas)) register(key, () => authSchemas[key])',
  ],
] as const

/** The command: a small launcher, and chunks that are loaded when needed. */
export default defineConfig({
  input: {
    ostler: 'src/ostler.ts',
    'exit-watchdog': '../acp-server/src/exit-watchdog/worker.ts',
  },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  // Syntax that the oldest supported Node can read.
  transform: { target: 'node22' },
  output,
  checks: { pluginTimings: false },
  // A warning names code that does not do what it says, and a newcomer would see it.
  onLog(level, { message }) {
    if (level === 'warn') throw new Error(message)
  },
  plugins: [
    {
      name: 'lazy-spec-schemas',
      transform(code) {
        if (!code.includes('_specTypeSchemas[name] =')) return null
        return lazySpecSchemas.reduce((text, [from, to]) => {
          const changed = text.replace(from, to as string)
          if (changed === text) throw new Error(`the MCP SDK has changed: it has no ${String(from)}`)
          return changed
        }, code)
      },
    },
    loadOnUse((required) => required.startsWith('node:') || lazyChunks.has(required)),
    {
      name: 'executable',
      writeBundle({ dir = 'dist' }) {
        chmodSync(join(dir, entryName), 0o755)
        // The package itself has modules of ECMAScript.
        writeFileSync(join(dir, 'package.json'), '{ "type": "commonjs" }\n')
      },
    },
  ],
})
