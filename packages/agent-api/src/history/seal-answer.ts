import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

/** The reader's side of a question: only this process can read what is sealed for it. */
export interface AnswerKey {
  /** For the row of the question. */
  readonly publicKey: string
  /** Undefined for anything that was not sealed for this key. */
  open(sealed: string): string | undefined
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * An answer may hold what a person typed into a form. It passes the database, whose files keep deleted text for a while, so it is encrypted for the
 * process that asked: X25519 with a key for this answer, HKDF and AES-GCM.
 */
export function createAnswerKey(): AnswerKey {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const own = toText(publicKey)
  return {
    publicKey: own,
    open(sealed) {
      try {
        const [sender = '', content = ''] = sealed.split('.')
        const bytes = Buffer.from(content, 'base64url')
        const key = toKey(diffieHellman({ privateKey, publicKey: fromText(sender) }), sender, own)
        const decipher = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString()
      } catch {
        return undefined
      }
    },
  }
}

/** Undefined if the reader has no valid key. */
export function sealAnswer(text: string, reader: string): string | undefined {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const sender = toText(publicKey)
  let key: Buffer
  try {
    key = toKey(diffieHellman({ privateKey, publicKey: fromText(reader) }), sender, reader)
  } catch {
    return undefined
  }
  const nonce = randomBytes(nonceBytes)
  const encipher = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  const content = Buffer.concat([encipher.update(text), encipher.final()])
  return `${sender}.${Buffer.concat([nonce, encipher.getAuthTag(), content]).toString('base64url')}`
}

function toKey(secret: Buffer, sender: string, reader: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, `${sender}.${reader}`, 'ostler answer', 32))
}

function toText(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).toString('base64url')
}

function fromText(text: string): KeyObject {
  return createPublicKey({ key: Buffer.from(text, 'base64url'), type: 'spki', format: 'der' })
}
