import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type OutputOptions } from 'rolldown'

const entryName = 'ostler.js'

export const output: OutputOptions = {
  dir: 'dist',
  format: 'esm',
  minify: true,
  // A worker starts from its own file, next to the chunk that starts it.
  entryFileNames: ({ name }) => (name === 'ostler' ? entryName : 'chunks/[name].js'),
  chunkFileNames: 'chunks/[name].js',
  // Every file takes time to find and to read, so the code that runs before the first session is in a few large ones. A group also takes in
  // what its modules import.
  codeSplitting: {
    groups: [
      { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/]/, priority: 4 },
      { name: 'start', test: /[\\/]cli[\\/]src[\\/](run-process|commands[\\/]acp)\.ts$/, priority: 3 },
      { name: 'agent', test: /[\\/]commands[\\/]acp[\\/]open-agent\.ts$/, priority: 2 },
    ],
  },
}

/** The command: a small launcher, and chunks that are loaded when needed. */
export default defineConfig({
  input: {
    ostler: 'src/ostler.ts',
    'exit-watchdog': '../acp-server/src/exit-watchdog/worker.ts',
  },
  platform: 'node',
  // Syntax that the oldest supported Node can read.
  transform: { target: 'node22' },
  output,
  // A warning names code that does not do what it says, and a newcomer would see it.
  onLog(level, { message }) {
    if (level === 'warn') throw new Error(message)
  },
  plugins: [
    {
      name: 'executable',
      writeBundle({ dir = 'dist' }) {
        chmodSync(join(dir, entryName), 0o755)
      },
    },
  ],
})
