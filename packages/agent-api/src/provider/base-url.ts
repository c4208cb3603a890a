import { OstlerError } from '../base/errors.ts'
import type { ProviderConfig } from './model.ts'

const ollamaPort = '11434'

/**
 * Every vendor's tools disagree about whether a base URL ends in its version; whatever is given, this is what the package needs.
 * `source` is the variable or the setting it came from, for the message.
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
      // A path that somebody wrote is what they mean; a bare host never is.
      return path === '' ? `${base}/v1` : base
  }
}

/** Ollama's own variable is where its server binds: `0.0.0.0`, `:11500` and `myhost` are all usual. */
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
    // The value itself may carry a password.
    throw new OstlerError('model.bad_base_url', `${source} is not an http or https URL.`)
  }
  return url
}
