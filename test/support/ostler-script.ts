import { fileURLToPath } from 'node:url'

/** The command as an editor starts it. */
export const ostlerScript = fileURLToPath(new URL('../../packages/cli/dist/ostler.js', import.meta.url))

/** The start script, which settings of editors name. It finds Node itself. */
export const ostlerStart = fileURLToPath(new URL('../../packages/cli/dist/ostler', import.meta.url))

/** The variables that every process gets of this one's environment: no keys and no settings of this machine. */
export const baseEnv: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
