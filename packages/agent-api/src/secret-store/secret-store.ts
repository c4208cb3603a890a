import { OstlerError } from '../base/errors.ts'

export type SecretStoreKind = 'keyring' | 'file' | 'memory'

/**
 * Stores secrets by name. `get` returns undefined only if the secret certainly does not exist. An unreadable secret (locked keyring, wrong
 * key) is an error. Otherwise it could be mistaken for a missing one and replaced.
 */
export interface SecretStore {
  readonly kind: SecretStoreKind
  /** Tells a person why a better store could not be used. */
  readonly problem?: string
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
}

const nameLengthMax = 200
/** Larger than any key. Some keyrings accept less: Windows allows 2,560 bytes. */
const secretBytesMax = 64 * 1024

/** Throws for values that some store could not return unchanged. */
export function checkSecret(name: string, value: string): void {
  checkName(name)
  if (value === '')
    throw new OstlerError('secrets.invalid', `The secret '${name}' is empty. Delete it instead.`)
  if (!value.isWellFormed())
    throw new OstlerError('secrets.invalid', `The secret '${name}' is not valid Unicode text.`)
  if (Buffer.byteLength(value) > secretBytesMax)
    throw new OstlerError(
      'secrets.invalid',
      `The secret '${name}' is too long: a secret may have ${secretBytesMax} bytes.`,
    )
}

export function checkName(name: string): void {
  if (
    name !== '' &&
    name.length <= nameLengthMax &&
    name.isWellFormed() &&
    // oxlint-disable-next-line no-control-regex -- A line break or NUL in a name is what this is about.
    !/[\u0000-\u001f\u007f]/.test(name)
  )
    return
  throw new OstlerError(
    'secrets.invalid',
    `The name of a secret must have 1 to ${nameLengthMax} characters and no control characters.`,
  )
}
