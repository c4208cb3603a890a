import { expect, it } from 'vitest'
import { toPastPlan } from '../../../../packages/workbench/src/judge/past-plan.ts'

it.each([
  ['write_file', { path: 'a/b.txt' }, { effect: 'write' }],
  ['write_file', { path: '/etc/passwd' }, { effect: 'write', outside: ['/etc/passwd'] }],
  ['write_file', { path: '../other/x' }, { effect: 'write', outside: ['/other/x'] }],
  ['write_file', { path: '/second/x' }, { effect: 'write' }],
  ['write_file', { path: '.bashrc' }, { effect: 'write', sensitive: ['/work/.bashrc'] }],
  ['read_file', { path: '.bashrc' }, { effect: 'read' }],
  ['read_file', { path: '.env' }, { effect: 'read', sensitive: ['/work/.env'] }],
  ['read_file', { path: 'a\0b' }, { effect: 'read' }],
  ['read_file', {}, { effect: 'read' }],
  ['run_command', { command: 'npm test' }, { effect: 'run', command: { line: 'npm test', cwd: '/work' } }],
  [
    'run_command',
    { command: 'ls', cwd: '/etc' },
    { effect: 'run', outside: ['/etc'], command: { line: 'ls', cwd: '/etc' } },
  ],
  ['run_command', { command: 1 }, { effect: 'run' }],
  ['fetch_url', { url: 'https://a.example/x?y' }, { effect: 'fetch', origin: 'https://a.example' }],
  ['fetch_url', { url: 'nonsense' }, { effect: 'fetch' }],
  ['update_plan', {}, { effect: 'none' }],
] as const)('%s %j', (name, args, plan) => {
  expect(toPastPlan(name, args, ['/work', '/second'])).toEqual(plan)
})
