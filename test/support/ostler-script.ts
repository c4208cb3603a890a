import { fileURLToPath } from 'node:url'

/** True if coverage is measured: the command then runs without its launcher. */
export const fromSources = process.env['OSTLER_TEST_FROM_SOURCES'] !== undefined

/** The command as an editor starts it: the built one, or its sources if coverage is measured. */
export const ostlerScript = fileURLToPath(new URL(fromSources ? './run-sources.mjs' : '../../packages/cli/dist/ostler.js', import.meta.url))

/** The variables that every process gets of this one's environment: no keys and no settings of this machine. */
export const baseEnv: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
