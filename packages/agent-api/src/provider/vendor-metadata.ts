import type { JSONObject, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { VendorMetadata } from '../messages/message.ts'
import type { Vendor } from './model.ts'

/** The key under which each vendor's package provides metadata and expects it back. */
const keys: Readonly<Record<Vendor, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  'openai-compatible': 'compatible',
  offline: 'offline',
}

/** A vendor only sees its own metadata, because it cannot use another vendor's signatures. */
export function ownMetadata(vendor: Vendor, metadata: VendorMetadata | undefined): JSONObject | undefined {
  const own = metadata?.[keys[vendor]]
  return typeof own === 'object' && own !== null ? (own as JSONObject) : undefined
}

export function toProviderOptions(
  vendor: Vendor,
  metadata: VendorMetadata | undefined,
): { providerOptions?: SharedV4ProviderOptions } {
  const own = ownMetadata(vendor, metadata)
  return own ? { providerOptions: { [keys[vendor]]: own } } : {}
}
