// The launcher inside the single executable. Node can only run one script from there, so it unpacks the command once and continues with
// those files: chunks, threads and programs then have real paths, as in any other installation.
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { runInThisContext } from 'node:vm'
import { stateDirOf } from '../state/state-dir.ts'
import { unpack, type Manifest } from './unpack.ts'

const folder = unpackSomewhere()
if (folder !== undefined) {
  const load = createRequire(join(folder, 'package.json'))
  if (process.argv[2] === '-e' && process.send !== undefined) runHelper(load)
  else {
    // The executable is its own script.
    process.argv[1] = process.execPath
    load('./dist/ostler.js')
  }
}

/** The agent starts helpers of its own as `node -e SCRIPT ARGUMENT...` with a channel to them. */
function runHelper(require: NodeJS.Require): void {
  const [node = '', , , script = '', ...args] = process.argv
  process.argv = [node, ...args]
  Object.assign(globalThis, { require })
  runInThisContext(script)
}

/** In the state directory of this user, or in the folder for temporary files if that is not possible. */
function unpackSomewhere(): string | undefined {
  const manifest = JSON.parse(getAsset('manifest', 'utf8')) as Manifest
  const read = (path: string) => new Uint8Array(getRawAsset(path))
  const stateDir = stateDirOf(undefined, process.env)
  const uid = process.getuid?.()
  const own = join(tmpdir(), `ostler-${uid ?? 'user'}`)
  const reasons: string[] = []
  for (const parent of [...(stateDir === undefined ? [] : [join(stateDir, 'programs')]), own]) {
    try {
      return unpack(manifest, read, parent, uid)
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  process.stderr.write(`ostler: the executable cannot unpack its files: ${reasons.join('; ')}\n`)
  process.exitCode = 1
  return undefined
}
