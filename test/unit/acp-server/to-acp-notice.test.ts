import { expect, test } from 'vitest'
import { toAcpNotice, toReportText } from '../../../packages/acp-server/src/to-acp-notice.ts'

const quiet = { connected: [], waiting: [], failed: [], warnings: [] }

test('a session without servers needs no report, a healthy one only as a notice', () => {
  expect(toAcpNotice(quiet)).toBeUndefined()
  expect(toReportText(quiet)).toBeUndefined()
  const healthy = {
    ...quiet,
    connected: [
      { server: 'a', tools: 1 },
      { server: 'b', tools: 2 },
    ],
  }
  expect(toAcpNotice(healthy)).toMatchObject({ severity: 'info', title: '2 MCP servers connected, 3 tools' })
  expect(toReportText(healthy)).toBeUndefined()
})

test('servers that sleep are counted apart, and are no problem', () => {
  const asleep = [{ server: 'c', tools: 3 }]
  expect(toAcpNotice({ ...quiet, asleep })).toMatchObject({
    title: '0 MCP servers connected, 1 asleep, 3 tools',
  })
  const both = { ...quiet, connected: [{ server: 'a', tools: 1 }], asleep }
  expect(toAcpNotice(both)).toMatchObject({
    severity: 'info',
    title: '1 MCP server connected, 1 asleep, 4 tools',
    description: 'a: 1 tool\nc: 3 tools',
  })
  expect(toReportText(both)).toBeUndefined()
})

test('a remark is no problem: a line of a notice, and a line of text before the problems', () => {
  const remarks = ['Switched off in this folder: a:b_c.']
  const healthy = { ...quiet, connected: [{ server: 'a', tools: 1 }], remarks }
  expect(toAcpNotice(healthy)).toMatchObject({
    severity: 'info',
    title: '1 MCP server connected, 1 tool',
    description: `a: 1 tool\n${remarks[0]}`,
  })
  expect(toReportText(healthy)).toBe('> Switched off in this folder: a:b_c.\n\n')
  const failing = { ...healthy, failed: [{ server: 'x', reason: 'gone' }] }
  expect(toAcpNotice(failing)).toMatchObject({ severity: 'warning', description: `x: gone\n${remarks[0]}` })
  expect(toReportText(failing)).toBe(
    '> Switched off in this folder: a:b_c.\n\n> MCP server "x" is not available: gone\n\n',
  )
})

test('each problem is one line that names the server and the reason', () => {
  const report = {
    connected: [{ server: 'a', tools: 1 }],
    waiting: ['slow'],
    failed: [{ server: 'broken', reason: 'exited\nwith code 3' }],
    warnings: ['The editor\'s server "x" stands in for the agent\'s.'],
  }
  const lines = [
    'broken: exited with code 3',
    'MCP server "slow" is still connecting. Its tools are added when it is connected.',
    'The editor\'s server "x" stands in for the agent\'s.',
  ]
  expect(toAcpNotice(report)).toMatchObject({
    severity: 'warning',
    title: '1 MCP server not available',
    description: lines.join('\n'),
  })
})

test('hidden characters of a name are shown', () => {
  const report = { ...quiet, failed: [{ server: 'a\u202eb', reason: 'no\u200b' }] }
  expect(toAcpNotice(report)).toMatchObject({ description: String.raw`a\u202eb: no\u200b` })
  expect(toReportText(report)).toContain(String.raw`MCP server "a\u202eb" is not available: no\u200b`)
})

const failed = (server: string, reason = 'no') => ({ server, reason })

test.each([
  [
    'one problem is said',
    { failed: [failed('a', 'no such file')] },
    'MCP server "a" is not available: no such file',
  ],
  [
    'with the first line of its reason',
    { failed: [failed('a', 'exit code 3\nTraceback')] },
    'MCP server "a" is not available: exit code 3 Details: `/mcp`.',
  ],
  ['a warning is said', { warnings: ['a: two\nlines'] }, 'a: two lines'],
  [
    'several are counted up',
    { failed: [failed('a'), failed('b')], waiting: ['c'], warnings: ['d', 'e'] },
    'MCP servers: not available: a, b; still connecting: c; 2 warnings. Details: `/mcp`.',
  ],
  ['a name per server', { waiting: ['a', 'b'] }, 'MCP servers: still connecting: a, b. Details: `/mcp`.'],
])('without notices the report is one line: %s', (_case, problems, line) => {
  expect(toReportText({ ...quiet, ...problems })).toBe(`> ${line}\n\n`)
})

test('that line does not grow with the number of servers or the length of a reason', () => {
  for (const problems of [
    { failed: [failed('a', 'x'.repeat(1_000))] },
    { failed: Array.from({ length: 100 }, (_, index) => failed(`server-${index}`)) },
  ]) {
    const text = toReportText({ ...quiet, ...problems }) ?? ''
    expect(text.length).toBeLessThan(230)
    expect(text).toMatch(/^> [^\n]*… Details: `\/mcp`\.\n\n$/)
  }
})
