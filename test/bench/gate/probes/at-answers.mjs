import { appendFileSync } from 'node:fs'

const answered = /"id":(\d+)/g

/**
 * Appends a line of JSON with the counts to the file named in the probe's URL, just before each answer is written to the standard output.
 * Watches the binding below Node's streams, so that it loads nothing that the agent might not load itself.
 * @param {string} probeUrl `import.meta.url` of the probe, with `?log=FILE`.
 * @param {() => object} count
 * @param {() => void} onWrite Called for each call that writes to the standard output.
 */
export function atAnswers(probeUrl, count, onWrite = () => {}) {
  const log = new URL(probeUrl).searchParams.get('log')
  if (log === null) return
  // @ts-expect-error Not declared, because it is not for products.
  const { Pipe } = process.binding('pipe_wrap')
  for (let type = Pipe.prototype; type !== Object.prototype; type = Object.getPrototypeOf(type))
    for (const name of Object.getOwnPropertyNames(type))
      if (/^write(v|Buffer|[A-Z].*String)$/.test(name)) watch(type, name)

  function watch(type, name) {
    const write = type[name]
    type[name] = function (request, data, ...rest) {
      if (this.fd === 1) {
        onWrite()
        for (const [, id] of textOf(data).matchAll(answered))
          appendFileSync(log, `${JSON.stringify({ id: Number(id), ...count() })}\n`)
      }
      return write.call(this, request, data, ...rest)
    }
  }
}

function textOf(data) {
  if (Array.isArray(data)) return data.map(textOf).join('')
  return typeof data === 'string' ? data : Buffer.from(data).toString()
}
