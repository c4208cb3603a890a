import { OstlerError } from '../base/errors.ts'
import type { ProviderConfig } from './model.ts'

const ollamaPort = '11434'

/**
 * Normalizes a base URL to what the vendor's package expects. Vendors disagree on whether a base URL ends in a version. `source` names the
 * variable or setting, for error messages.
 */
export function toBaseUrl(value: string, type: ProviderConfig['type'], source: string): string {
  const url = parseUrl(source === 'OLLAMA_HOST' ? fromOllamaHost(value) : value, source)
  const path = url.pathname.replace(/\/+$/, '')
  const base = `${url.origin}${path}`
  const endsInVersion = /\/v\d+(?:alpha|beta)?\d*$/.test(path)
  switch (type) {
    case 'anthropic':
      return endsInVersion ? base : `${base}/v1`
    case 'google':
      return endsInVersion ? base : `${base}/v1beta`
    case 'openai':
    case 'openai-compatible':
      // An explicit path is intentional. A bare host always needs the version.
      return path === '' ? `${base}/v1` : base
  }
}

/** `OLLAMA_HOST` is the server's bind address: `0.0.0.0`, `:11500` and `myhost` are all common. */
function fromOllamaHost(value: string): string {
  const text = value.startsWith(':') ? `127.0.0.1${value}` : value
  const hasScheme = /^https?:\/\//.test(text)
  const url = URL.parse(hasScheme ? text : `http://${text}`)
  if (!url) return value
  if (url.port === '' && !hasScheme) url.port = ollamaPort
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  return url.href
}

function parseUrl(value: string, source: string): URL {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) {
    // The message omits the value, because it may contain a password.
    throw new OstlerError('model.bad_base_url', `${source} is not an http or https URL.`)
  }
  return url
}
