import { expect, test } from 'vitest'
import { webUrl } from '../../../packages/agent-api/src/mcp/needed-pages.ts'

test.each([
  ['https://example.com/login?next=%2F', 'https://example.com/login?next=%2F'],
  ['http://127.0.0.1:8080/done', 'http://127.0.0.1:8080/done'],
  ['http://localhost/done', 'http://localhost/done'],
  ['https://accounts.google.com@evil.example/', undefined],
  ['https://:secret@evil.example/', undefined],
  ['http://example.com/login', undefined],
  ['http://10.0.0.1/login', undefined],
  ['file:///etc/passwd', undefined],
  ['javascript:alert(1)', undefined],
  [`https://example.com/${'x'.repeat(9_000)}`, undefined],
  ['nothing', undefined],
  [7, undefined],
])('a server may name a page: %s', (given, expected) => expect(webUrl(given)).toBe(expected))
