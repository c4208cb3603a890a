import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hasTerminal } from '../cli/run-on-terminal.ts'
import { questionPicture, questionPicturePath } from '../scripts/question-picture.ts'

test.runIf(hasTerminal)(
  'docs/question.svg is what `pnpm exec tsx test/scripts/picture.ts` draws',
  async () => {
    expect(await questionPicture()).toBe(await readFile(questionPicturePath, 'utf8'))
  },
)
