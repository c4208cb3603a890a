import { expect, test } from 'vitest'
import { toAcpNotice, toReportText } from '../../../packages/acp-server/src/to-acp-notice.ts'

const quiet = { connected: [], waiting: [], failed: [], warnings: [] }

test('a session without servers needs no words, a healthy one only where there is a place for them', () => {
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

test('each problem is one line that names the server and says why', () => {
  const report = {
    connected: [{ server: 'a', tools: 1 }],
    waiting: ['slow'],
    failed: [{ server: 'broken', reason: 'exited\nwith code 3' }],
    warnings: ['The editor\'s server "x" stands in for the agent\'s.'],
  }
  const lines = [
    'MCP server "broken" is not available: exited with code 3',
    'MCP server "slow" is still connecting; its tools follow when it is there.',
    'The editor\'s server "x" stands in for the agent\'s.',
  ]
  expect(toAcpNotice(report)).toMatchObject({ severity: 'warning', title: '1 MCP server not available', description: lines.join('\n') })
  expect(toReportText(report)).toBe(`${lines.map((line) => `> ${line}`).join('\n')}\n\n`)
})
