import { isRecord } from '../../base/is-record.ts'
import { loadsCode } from '../../base/loads-code.ts'
import { toOwnEntry } from '../../config/complete-servers.ts'
import { hashCanonical } from '../../policy/always-allow/definition-pin.ts'
import { sealSecrets, type ServerEntry } from '../../secret-store/seal-secrets.ts'

/**
 * The hash of a server's entry as it was written, so that it is the same on other machines: variables are not expanded, secrets are left
 * out, and the program is not looked up.
 */
export function hashEntry(written: object): string {
  const { type, command, args, cwd, env, url, headers } = sealed(toOwnEntry({ ...written }))
  const variables = Object.entries(isRecord(env) ? env : {})
  return hashCanonical({
    type,
    command,
    args: args ?? [],
    cwd,
    env: variables.map(([name, value]) => (loadsCode(name) ? `${name}=${String(value)}` : name)).toSorted(),
    url,
    headers: Object.keys(headers ?? {})
      .map((name) => name.toLowerCase())
      .toSorted(),
  })
}

/** The entry of a stored server has placeholders already, which cannot be sealed again. */
function sealed(entry: ServerEntry): ServerEntry {
  try {
    return sealSecrets(entry).sealed
  } catch {
    return entry
  }
}
