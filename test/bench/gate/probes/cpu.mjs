// Measures the processor time of all threads from answer to answer. With `loop`, also that of a fixed loop after each answer: in the same
// process and moment, so that a busy machine slows both. Also says how much V8 keeps for new objects.
import { getHeapSpaceStatistics } from 'node:v8'
import { atAnswers } from './at-answers.mjs'

const rounds = new URL(import.meta.url).searchParams.has('loop') ? 400 : 0
let last = 0

atAnswers(import.meta.url, () => {
  const answeredMs = totalMs()
  const cpuMs = answeredMs - last
  loop()
  last = totalMs()
  const { space_size: newSpaceBytes } = getHeapSpaceStatistics().find(isNewSpace)
  return { cpuMs, loopMs: last - answeredMs, newSpaceBytes }
})

function isNewSpace({ space_name: name }) {
  return name === 'new_space'
}

function totalMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Work of the kind that an agent does: objects, strings and JSON. */
function loop() {
  let text = '{}'
  for (let round = 0; round < rounds; round++) {
    const fields = Array.from({ length: 12 }, (_, field) => [`field${field}`, `${text.length} ${round}`])
    text = JSON.stringify({ ...JSON.parse(text), ...Object.fromEntries(fields) })
  }
}
