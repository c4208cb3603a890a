/** Asks one question at a time: after an "always", the questions that wait may need no answer. */
export function createQuestionQueue() {
  let last: Promise<unknown> = Promise.resolve()
  let open = 0
  return <T>(ask: (hasWaited: boolean) => Promise<T>): Promise<T> => {
    const hasToWait = open++ > 0
    const answer = last.then(() => ask(hasToWait)).finally(() => open--)
    // A failure affects only its own question.
    last = answer.catch(() => undefined)
    return answer
  }
}
