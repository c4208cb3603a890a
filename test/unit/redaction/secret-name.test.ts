import { describe, expect, it } from 'vitest'
import { isSecretByName, isSecretName } from '../../../packages/agent-api/src/redaction/secret-name.ts'

describe('isSecretName', () => {
  it.each(
    (
      'TOKEN API_TOKEN githubToken NPM_TOKEN_2 GITHUB_TOKEN_READONLY --access-token KEY API_KEY apikey x-api-key PRIVATE_KEY SSHKEY SECRET ' +
      'client_secret SECRETS PASSWORD DB_PASSWD DB_PASS pass MYSQL_PWD API_PIN CREDENTIALS AWS_CREDENTIAL Cookie Set-Cookie Authorization ' +
      'Proxy-Authorization BEARER X-Signature SENTRY_DSN SSH_PASSPHRASE AUTH BASIC_AUTH _authToken PASSWORD_HASH GITHUB_PAT'
    ).split(' '),
  )('%s', (name) => expect(isSecretName(name)).toBe(true))

  it.each(
    (
      'AUTH_PROVIDER AUTH_URL AUTH_METHOD AUTH_TYPE AUTH_MODE AUTH_ENABLED AUTHOR GIT_AUTHOR_NAME TOKEN_URL TOKEN_TTL TOKEN_FILE SECRET_NAME ' +
      'KEY_PATH AWS_ACCESS_KEY_ID PASSWORD_DIR OAUTH_ISSUER KEY_REGION TOKEN_ENDPOINT COOKIE_DOMAIN SESSION_TIMEOUT MONKEY MONKEY_NAME ' +
      'TOKENIZERS_PARALLELISM MAX_TOKENS SSH_AUTH_SOCK GIT_ASKPASS credential.helper PWD OLDPWD PATH HOME PINNED KEYBOARD SPINNER'
    ).split(' '),
  )('not %s', (name) => expect(isSecretName(name)).toBe(false))

  it.each([
    ['AUTH', 'github', false],
    ['AUTH', 'none', false],
    ['X-AUTH', 'basic, oauth2', false],
    ['AUTH', 'true', false],
    ['AUTH_HEADER', 'Authorization', false],
    ['AUTH', 'hunter2', true],
    ['AUTH', 'touch PWNED; x', true],
    ['AUTH', 'Bearer 0123', true],
    ['API_TOKEN', 'github', true],
    ['PASSWORD', 'none', true],
  ])('%s=%s: %s', (name, value, is) => expect(isSecretByName(name, value)).toBe(is))

  it('looks at the end of a long name only', () => {
    expect(isSecretName(`${'a'.repeat(1_000_000)}_TOKEN`)).toBe(true)
  })
})
