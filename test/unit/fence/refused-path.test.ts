import { expect, test } from 'vitest'
import { refusedDirectory } from '../../../packages/agent-api/src/fence/refused-path.ts'

test.for([
  ["Error: EROFS: read-only file system, mkdir '/home/u/.cache/x'", '/home/u/.cache/x'],
  ["Error: ENOENT: no such file or directory, mkdir '/home/u/x/y'", '/home/u/x/y'],
  ["ENOENT: no such file or directory, open '/home/u/x'", undefined],
  ["Error: EACCES: permission denied, open '/home/u/LOCK'", '/home/u'],
  ["PermissionError: [Errno 13] Permission denied: '/home/u/a b'", '/home/u/a b'],
  ["OSError: [Errno 30] Read-only file system: '/home/u/notes.db'", '/home/u'],
  ['failed: mkdir /home/u/go: read-only file system', '/home/u/go'],
  ['/usr/bin/tool: line 3: /home/u/log.txt: Permission denied', '/home/u'],
  ['touch: cannot touch ‘/home/u/x’: Read-only file system', '/home/u'],
  ['mkdir: cannot create directory ‘/home/u/v1.2’: Operation not permitted', '/home/u/v1.2'],
  ["EPERM: operation not permitted, rename '/a/from.json' -> '/a/to.json'", '/a'],
  ["EROFS: mkdir '/home/u/../v'", '/home/v'],
  ['Permission denied (os error 13)', undefined],
  ["mkdir '/home/u/.cache/x'", undefined],
  ["EACCES: open '/home/u/[redacted]/x'", undefined],
  ['EACCES: open /home/u/very-lo…', undefined],
] as const)('%s', ([line, found]) => {
  expect(refusedDirectory(line)).toEqual(found)
})
