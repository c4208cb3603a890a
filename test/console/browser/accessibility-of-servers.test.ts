import { describe } from 'vitest'
import { lookAtStates } from '../support/look-at-states.ts'
import { serverStates } from '../support/server-states.ts'

describe('every page and every dialog of servers and tools', () => {
  lookAtStates(serverStates)
})
