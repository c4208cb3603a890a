/** Only the end of a longer name is examined. */
const nameLengthMax = 256

/** Substrings that mark a name as secret wherever they occur. */
const telling = /token(?!iz)|secret(?!ar)|passw|passphrase|passcode|credential|apikey/
/** Words that mark a name as secret when they come last. */
const last: ReadonlySet<string> = new Set(
  'pass pin pw psw creds cred cookie cookies authorization bearer signature sig dsn jwt pat otp totp mnemonic'.split(
    ' ',
  ),
)
/** The name of a login method may also end in `auth`, so the value decides. */
const doubtful = /auth$/
/** Words for facts about a secret: its location, lifetime or issuer. A name that ends in one of them is not secret. */
const about: ReadonlySet<string> = new Set(
  (
    'provider url uri urls host hostname name user username id ids method methods type file files filename path paths dir directory folder ' +
    'enabled disabled enable disable mode region issuer endpoint ttl timeout port length size count limit max min expiry expires expiration ' +
    'lifetime age scope scopes audience algorithm alg format prefix suffix helper command cmd sock socket version domain realm backend driver ' +
    'strategy policy level flow tenant vault store usage budget parallelism interval required field column'
  ).split(' '),
)
const noKeys: ReadonlySet<string> = new Set([
  'monkey',
  'turkey',
  'donkey',
  'hockey',
  'jockey',
  'whiskey',
  'hotkey',
])
const noPasses: ReadonlySet<string> = new Set(['askpass', 'bypass', 'compass', 'trespass', 'surpass'])
const counts: ReadonlySet<string> = new Set('max min num total n input output context'.split(' '))
/** Ordinary words: `true`, `github`, `oauth2, basic`. */
const wordList =
  /^(?:[A-Z]?[a-z]{1,12}|[A-Z]{1,10}|oauth[12]|saml2)(?:[ ,/_-]{1,2}(?:[A-Z]?[a-z]{1,12}|oauth[12]|saml2)){0,4}$/
const wordListLengthMax = 64

/**
 * True if a variable, header, flag or parameter of this name holds a secret. The last word of the name decides; when in doubt, it is
 * secret.
 */
export function isSecretName(name: string): boolean {
  return kindOf(name) !== 'plain'
}

/** Like `isSecretName`, with a known value. If the name only says `auth`, a few ordinary words are not secret. */
export function isSecretByName(name: string, value: string): boolean {
  const kind = kindOf(name)
  if (kind !== 'doubtful') return kind === 'secret'
  return (
    value.length > wordListLengthMax ||
    !wordList.test(value) ||
    /^(?:basic|bearer|digest|negotiate|token) \S/i.test(value)
  )
}

/** Keys that grant access, unlike those of a table, a map or an issue tracker. */
const secretKey =
  /(?:api|access|account|admin|auth|backup|client|crypto|decryption|deploy|encryption|gpg|hmac|license|master|pass|pgp|private|recovery|rsa|secret|service|session|shared|signing|ssh|subscription)keys?$/
/** Tokens that mark a position in a list or the end of a text. */
const plainToken = /(?:bos|continuation|cursor|end|eos|next|pad|page|start|stop|sync)tokens?$/
const plainArguments: ReadonlySet<string> = new Set(['signature', 'sig'])

/** Like `isSecretByName`, for an argument of a tool, where more words are harmless: `key` may belong to a table, `pageToken` to a page. */
export function isSecretArgument(name: string, value: string): boolean {
  if (!isSecretByName(name, value)) return false
  const words = wordsOf(name)
  const whole = words.join('')
  if (plainToken.test(whole) || plainArguments.has(words.at(-1) ?? '')) return false
  return (
    secretKey.test(whole) ||
    kindOf(words.filter((word) => !isKey(word) || telling.test(word)).join('-')) !== 'plain'
  )
}

function kindOf(name: string): 'secret' | 'doubtful' | 'plain' {
  const words = wordsOf(name)
  const end = words.at(-1) ?? ''
  if (end === 'header' || end === 'headers') {
    const held = words.length > 1 ? kindOf(words.slice(0, -1).join('-')) : 'plain'
    return held === 'secret' ? 'doubtful' : held
  }
  if (about.has(end) || noPasses.has(end)) return 'plain'
  if (end === 'tokens' && words.some((word) => counts.has(word))) return 'plain'
  if (last.has(end) || end.endsWith('pass') || (end === 'pwd' && words.length > 1)) return 'secret'
  if (words.some((word) => telling.test(word) || isKey(word))) return 'secret'
  return doubtful.test(end) ? 'doubtful' : 'plain'
}

function isKey(word: string): boolean {
  return /keys?$/.test(word) && !noKeys.has(word)
}

/** `githubToken2` has the words `github` and `token`. */
function wordsOf(name: string): string[] {
  return name
    .slice(-nameLengthMax)
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((word) => word.replace(/\d{1,4}$/, ''))
    .filter((word) => word !== '')
}
