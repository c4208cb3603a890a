import { expect, it } from 'vitest'
import { isSensitivePath } from '../../../packages/agent-api/src/base/sensitive-path.ts'

it.each([
  '/p/.env',
  '/p/.ENV',
  '/p/.env.local',
  '/p/.env-prod',
  '/p/.env~',
  '/p/.envrc',
  '/p/prod.env',
  '/p/secrets.yaml',
  '/p/server.key',
  '/p/cert.pem',
  '/p/.npmrc',
  '/p/credentials.json',
  '/home/me/.ssh/config',
  '/home/me/.ssh/.env.example',
  '/home/me/.ssh/id_ed25519',
  '/home/me/.aws/credentials',
  '/home/me/.kube/config',
  '/home/me/.config/gh/hosts.yml',
  '/p/.git',
  '/p/.git/config',
  '/p/.git/hooks/pre-commit',
  '/p/.git/HEAD',
  '/p/sub/.git/modules/x/config',
  '/p/ostler.yaml',
  '/home/me/.config/ostler/agents/work.yaml',
  '/home/me/.local/state/ostler/secrets.key',
  '.env',
  '.git/config',
])('%s is asked for', (path) => {
  expect(isSensitivePath(path)).toBe(true)
})

it.each([
  '/p/.env.example',
  '/p/.env.sample',
  '/p/src/env.ts',
  '/p/environment.md',
  '/p/.github/workflows/ci.yml',
  '/p/.gitignore',
  '/p/.gitattributes',
  '/p/git/config',
  '/p/src/keys.ts',
  '/p/keyboard.json',
  '/p/id_rsa.pub',
  '/p/src/secrets.ts',
  '/p/my-ostler.yaml',
  '/p/config/ostler/x',
  '/p/README.md',
])('%s is not', (path) => {
  expect(isSensitivePath(path)).toBe(false)
})
