/** The reader's side of a question: only this process can read what is sealed for it. */
export interface AnswerKey {
  readonly publicKey: string
  /** Undefined for anything that was not sealed for this key. */
  open(sealed: string): Promise<string | undefined>
}

/** HPKE (RFC 9180), loaded with the first question. */
async function loadSuite() {
  const { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } = await import('@hpke/core')
  return new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes256Gcm(),
  })
}

/**
 * An answer may hold what a person typed into a form. It passes the database, whose files keep deleted text for a while, so it is encrypted
 * for the process that asked.
 */
export async function createAnswerKey(): Promise<AnswerKey> {
  const suite = await loadSuite()
  const { publicKey, privateKey } = await suite.kem.generateKeyPair()
  return {
    publicKey: toText(await suite.kem.serializePublicKey(publicKey)),
    async open(sealed) {
      const [enc = '', content = ''] = sealed.split('.')
      try {
        const text = await suite.open({ recipientKey: privateKey, enc: fromText(enc) }, fromText(content))
        return Buffer.from(text).toString()
      } catch {
        return undefined
      }
    },
  }
}

export async function sealAnswer(text: string, reader: string): Promise<string | undefined> {
  const suite = await loadSuite()
  try {
    const recipientPublicKey = await suite.kem.deserializePublicKey(fromText(reader))
    const { ct, enc } = await suite.seal({ recipientPublicKey }, Buffer.from(text))
    return `${toText(enc)}.${toText(ct)}`
  } catch {
    return undefined
  }
}

function toText(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString('base64url')
}

function fromText(text: string) {
  return Uint8Array.from(Buffer.from(text, 'base64url')).buffer
}
