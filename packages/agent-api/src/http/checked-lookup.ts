import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/**
 * A resolver that returns only addresses that pass the check, which throws for one that must not be reached. A connection uses its result, so
 * a name cannot lead to another address the second time it is resolved.
 */
export function checkedLookup(check: (address: string) => void): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      try {
        for (const { address } of addresses) check(address)
      } catch (refusal) {
        return callback(refusal as Error, [])
      }
      const [first] = addresses
      if (options.all === true) callback(null, addresses)
      else if (first === undefined) callback(new Error('no address'), [])
      else callback(null, first.address, first.family)
    })
  }
}
