import { beforeEach, inject } from 'vitest'

/** Runs before each file of the browser tests. */
beforeEach(({ skip }) => skip(inject('chromium') === undefined, 'there is no Chromium'))
