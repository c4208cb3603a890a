import { OstlerError } from '../base/errors.ts'

export type SecretStoreKind = 'keyring' | 'file' | 'memory'

/**
 * A place for secrets, by name. `undefined` means that the secret is certainly not there; one that cannot be read (a locked keyring, a file
 * that cannot be decrypted) is an error, so that nobody takes it for missing and sets it anew.
 */
export interface SecretStore {
  readonly kind: SecretStoreKind
  /** Why a better store could not be used, for a person. */
  readonly problem?: string
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  delete(name: string): Promise<void>
}

const nameLengthMax = 200
/** Larger than any key. A keyring may take less: the one of Windows 2,560 bytes. */
const secretBytesMax = 64 * 1024

/** Throws for what a store could not give back as it got it. */
export function checkSecret(name: string, value: string): void {
  checkName(name)
  if (value === '') throw new OstlerError('secrets.invalid', `The secret '${name}' is empty. Delete it instead.`)
  if (!value.isWellFormed()) throw new OstlerError('secrets.invalid', `The secret '${name}' is not valid Unicode text.`)
  if (Buffer.byteLength(value) > secretBytesMax)
    throw new OstlerError('secrets.invalid', `The secret '${name}' is too long: a secret may have ${secretBytesMax} bytes.`)
}

export function checkName(name: string): void {
  // oxlint-disable-next-line no-control-regex -- A line break or NUL in a name is what this is about.
  if (name !== '' && name.length <= nameLengthMax && name.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(name)) return
  throw new OstlerError('secrets.invalid', `The name of a secret must have 1 to ${nameLengthMax} characters and no control characters.`)
}
