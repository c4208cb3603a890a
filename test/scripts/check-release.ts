// Checks that the current commit can be released. Changes and publishes nothing. docs/releasing.md lists the steps.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseProblems, type ReleaseState } from './release-problems.ts'

const repository = join(import.meta.dirname, '../..')
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

const manifests = globSync('packages/*/package.json', { cwd: repository }).map(
  (path) =>
    JSON.parse(read(path)) as { name: string; version: string; private?: boolean; repository?: unknown },
)
const problems = releaseProblems({
  manifests,
  registry: JSON.parse(read('registry/agent.json')) as ReleaseState['registry'],
  changelog: read('CHANGELOG.md'),
  changedFiles: git('status', '--porcelain').split('\n').filter(Boolean),
  branch: git('branch', '--show-current'),
  tagsHere: git('tag', '--points-at', 'HEAD').split('\n').filter(Boolean),
  tags: git('tag').split('\n').filter(Boolean),
})
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1
else process.stdout.write(`Version ${manifests[0]?.version} can be released.\n`)
