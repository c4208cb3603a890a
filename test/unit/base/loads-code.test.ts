import { expect, test } from 'vitest'
import {
  isSecretPair,
  spansOfPair,
} from '../../../packages/agent-api/src/redaction/secrets-in-commands-and-text.ts'
import { sealSecrets } from '../../../packages/agent-api/src/secret-store/seal-secrets.ts'

const loaders =
  'PATH NODE_OPTIONS NODE_PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES PYTHONPATH PYTHONSTARTUP BASH_ENV PERL5LIB npm_config_registry UV_INDEX_URL'

test.each(loaders.split(' '))('%s is shown, because it decides what code runs', (name) => {
  for (const value of ['--require=payload1234', '/tmp/ghp_abcdefghijklmnop1234/x.so']) {
    expect([isSecretPair(name, value), spansOfPair(name, value)]).toEqual([false, []])
    const { sealed, secrets } = sealSecrets({ env: { [name]: value } }, { env: [name] })
    expect([sealed, secrets]).toEqual([{ env: { [name]: value } }, {}])
  }
})

test('the password of an address is redacted, and the address is not', () => {
  const { sealed } = sealSecrets({
    env: {
      PIP_INDEX_URL: 'https://me:pass1234word@pypi.example/simple',
      PIP_EXTRA_INDEX_URL: 'https://a.example https://me:word1234pass@b.example',
      UV_INDEX: 'mine=https://me:1234password@c.example',
    },
  })
  expect(sealed).toEqual({
    env: {
      PIP_INDEX_URL: 'https://me:${secret:env.PIP_INDEX_URL.password}@pypi.example/simple',
      PIP_EXTRA_INDEX_URL:
        'https://a.example https://me:${secret:env.PIP_EXTRA_INDEX_URL.password}@b.example',
      UV_INDEX: 'mine=https://me:${secret:env.UV_INDEX.password}@c.example',
    },
  })
})

test('a credential with such a prefix is not one of them', () => {
  expect(isSecretPair('npm_config__authToken', 'opensesame')).toBe(true)
  expect(isSecretPair('MY_OPTIONS', 'payload1234abcd')).toBe(true)
})
