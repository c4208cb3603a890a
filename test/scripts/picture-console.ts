import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Redraws the pictures of docs/console.md: `pnpm exec tsx test/scripts/picture-console.ts`. */
const repository = join(import.meta.dirname, '../..')
const { status } = spawnSync(join(repository, 'node_modules/.bin/vitest'), ['run', 'test/console/pictures'], {
  cwd: repository,
  stdio: 'inherit',
  env: { ...process.env, OSTLER_PICTURES: join(repository, 'docs/console') },
})
process.exitCode = status ?? 1
