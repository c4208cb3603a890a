/** What is looked at before anything else of a request: whom it was meant for, and from where it came. */
export interface RequestHead {
  readonly method: string
  /** The request target as it was sent. */
  readonly target: string
  /** Names and values by turns, as they were sent. */
  readonly rawHeaders: readonly string[]
}

export interface Refusal {
  readonly status: number
  readonly code: `console.${string}`
  readonly message: string
  readonly allow?: string
}

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Keeps out what did not come from our own page: another site in the same browser, and a name that somebody let point to this machine.
 * `hosts` are the `HOST:PORT` that are ours.
 */
export function checkRequest(
  { method, target, rawHeaders }: RequestHead,
  hosts: ReadonlySet<string>,
  headersMax: number,
): Refusal | undefined {
  const valuesOf = (name: string) => rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
  if (rawHeaders.length / 2 > headersMax) return { status: 431, code: 'console.too_large', message: 'The request has too many headers.' }

  const [host, ...otherHosts] = valuesOf('host')
  if (host === undefined || otherHosts.length > 0)
    return { status: 400, code: 'console.bad_request', message: 'The request must name one host.' }
  if (!hosts.has(host)) return { status: 421, code: 'console.wrong_host', message: 'This console does not go by that name.' }
  if (!methods.some((allowed) => allowed === method))
    return { status: 405, code: 'console.method', message: 'There is no such method here.', allow: methods.join(', ') }
  if (!target.startsWith('/') || target.startsWith('//'))
    return { status: 400, code: 'console.bad_request', message: 'The request must name a path.' }

  const site = valuesOf('sec-fetch-site')
  if (site.some((value) => value !== 'same-origin' && value !== 'none')) return foreign
  const origins = valuesOf('origin')
  if (origins.some((origin) => origin !== `http://${host}`)) return foreign
  // A browser says where such a request comes from. What does not is no browser with our page in it.
  if (origins.length !== 1 && method !== 'GET' && method !== 'HEAD') return foreign
  return undefined
}

const foreign: Refusal = {
  status: 403,
  code: 'console.foreign_origin',
  message: 'This console answers only its own page. If you followed a link to get here, put the address into the address bar instead.',
}
