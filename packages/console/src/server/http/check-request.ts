/** The parts of a request that are checked first. */
export interface RequestHead {
  readonly method: string
  /** The raw request target. */
  readonly target: string
  /** Raw header names and values, alternating. */
  readonly rawHeaders: readonly string[]
}

export interface Refusal {
  readonly status: number
  readonly code: `console.${string}`
  readonly message: string
  readonly allow?: string
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Rejects requests that did not come from our own page: cross-site requests, and DNS rebinding. `hosts` are our own `HOST:PORT` values.
 */
export function checkRequest(
  { method, target, rawHeaders }: RequestHead,
  hosts: ReadonlySet<string>,
  headersMax: number,
): Refusal | undefined {
  const valuesOf = (name: string) =>
    rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
  if (rawHeaders.length / 2 > headersMax)
    return { status: 431, code: 'console.too_large', message: 'The request has too many headers.' }

  const [host, ...otherHosts] = valuesOf('host')
  if (host === undefined || otherHosts.length > 0)
    return { status: 400, code: 'console.bad_request', message: 'The request must name one host.' }
  if (!hosts.has(host))
    return { status: 421, code: 'console.wrong_host', message: 'This console has a different host name.' }
  if (!methods.some((allowed) => allowed === method))
    return {
      status: 405,
      code: 'console.method',
      message: 'This method is not supported.',
      allow: methods.join(', '),
    }
  if (!target.startsWith('/') || target.startsWith('//'))
    return { status: 400, code: 'console.bad_request', message: 'The request must name a path.' }

  const site = valuesOf('sec-fetch-site')
  if (site.some((value) => value !== 'same-origin' && value !== 'none')) return foreign
  const origins = valuesOf('origin')
  if (origins.some((origin) => origin !== `http://${host}`)) return foreign
  // A browser always sends the origin of such a request, so one without it did not come from our page.
  if (origins.length !== 1 && method !== 'GET' && method !== 'HEAD') return foreign
  return undefined
}

const foreign: Refusal = {
  status: 403,
  code: 'console.foreign_origin',
  message:
    'This console answers only its own page. If you followed a link, copy the address into the address bar instead.',
}
