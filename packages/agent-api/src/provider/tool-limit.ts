import type { ProviderAccess } from './find-provider.ts'
import type { Vendor } from './model.ts'

/** The number of tools that a request may have. A request with more is refused as a whole. */
const limits: Readonly<Record<Vendor, number>> = {
  anthropic: Infinity,
  openai: 128,
  google: 512,
  // OpenAI's limit, which most servers with its API share.
  'openai-compatible': 128,
  offline: Infinity,
}

const limitOfXai = 200

export function toolsMaxOf(vendor: Vendor, access?: Pick<ProviderAccess, 'baseUrl'>): number {
  const isXai =
    vendor === 'openai-compatible' && /(?:^|\.)x\.ai$/.test(URL.parse(access?.baseUrl ?? '')?.hostname ?? '')
  return isXai ? limitOfXai : limits[vendor]
}
