import { expect, test } from 'vitest'
import { explainBubblewrap } from '../../../packages/agent-api/src/fence/probe-fence.ts'

test.each([
  ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'AppArmor profile for bwrap'],
  ['bwrap: setting up uid map: Permission denied', 'AppArmor profile for bwrap'],
  [
    'bwrap: No permissions to create a new namespace, likely because the kernel does not allow it',
    'kernel.unprivileged_userns_clone',
  ],
  ['bwrap: Creating new namespace failed: Operation not permitted', 'seccomp profile'],
  ['bwrap: Failed to make / slave: Permission denied', 'without its AppArmor profile'],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'unmasked /proc'],
  ['bwrap: Unknown option --disable-userns', 'version 0.8'],
  ['something else', 'docs/security.md'],
])('%s', (problem, remedy) => {
  expect(explainBubblewrap(problem)).toContain(problem)
  expect(explainBubblewrap(problem)).toContain(remedy)
})
