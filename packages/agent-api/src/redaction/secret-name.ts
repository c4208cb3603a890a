/** More of a name says nothing more of it. */
const nameLengthMax = 256

/** Parts of words that speak of a secret wherever in a name they stand. */
const telling = /token(?!iz)|secret(?!ar)|passw|passphrase|passcode|credential|apikey/
/** Words that speak of one at the end of a name. */
const last: ReadonlySet<string> = new Set(
  'pass pin pw psw creds cred cookie cookies authorization bearer signature sig dsn jwt pat otp totp mnemonic'.split(' '),
)
/** A way to sign in may be called so, too: what it is, the value says. */
const doubtful = /auth$/
/** What is about a secret and is none: where it is, how long it lasts, who gives it. */
const about: ReadonlySet<string> = new Set(
  (
    'provider url uri urls host hostname name user username id ids method methods type file files filename path paths dir directory folder ' +
    'enabled disabled enable disable mode region issuer endpoint ttl timeout port length size count limit max min expiry expires expiration ' +
    'lifetime age scope scopes audience algorithm alg format prefix suffix helper command cmd sock socket version domain realm backend driver ' +
    'strategy policy level flow tenant vault store usage budget parallelism interval required field column'
  ).split(' '),
)
const noKeys: ReadonlySet<string> = new Set(['monkey', 'turkey', 'donkey', 'hockey', 'jockey', 'whiskey', 'hotkey'])
const noPasses: ReadonlySet<string> = new Set(['askpass', 'bypass', 'compass', 'trespass', 'surpass'])
const counts: ReadonlySet<string> = new Set('max min num total n input output context'.split(' '))
/** `true`, `github`, `oauth2, basic`. */
const wordList = /^(?:[A-Z]?[a-z]{1,12}|[A-Z]{1,10}|oauth[12]|saml2)(?:[ ,/_-]{1,2}(?:[A-Z]?[a-z]{1,12}|oauth[12]|saml2)){0,4}$/
const wordListLengthMax = 64

/** Whether a variable, header, flag or parameter of this name holds what is nobody else's business. Its last word decides; in doubt it does. */
export function isSecretName(name: string): boolean {
  return kindOf(name) !== 'plain'
}

/** The same with the value known: under a name that only says `auth`, a few ordinary words are no secret. */
export function isSecretByName(name: string, value: string): boolean {
  const kind = kindOf(name)
  if (kind !== 'doubtful') return kind === 'secret'
  return value.length > wordListLengthMax || !wordList.test(value) || /^(?:basic|bearer|digest|negotiate|token) \S/i.test(value)
}

/** What kind of a key is none of a table, a map or an issue. */
const secretKey =
  /(?:api|access|account|admin|auth|backup|client|crypto|decryption|deploy|encryption|gpg|hmac|license|master|pass|pgp|private|recovery|rsa|secret|service|session|shared|signing|ssh|subscription)keys?$/
/** Where a list goes on, and where a text ends. */
const plainToken = /(?:bos|continuation|cursor|end|eos|next|pad|page|start|stop|sync)tokens?$/
const plainArguments: ReadonlySet<string> = new Set(['signature', 'sig'])

/** The same of an argument of a tool, where more words have another meaning: a `key` may be that of a table, and a `pageToken` tells the page. */
export function isSecretArgument(name: string, value: string): boolean {
  if (!isSecretByName(name, value)) return false
  const words = wordsOf(name)
  const whole = words.join('')
  if (plainToken.test(whole) || plainArguments.has(words.at(-1) ?? '')) return false
  return secretKey.test(whole) || kindOf(words.filter((word) => !isKey(word) || telling.test(word)).join('-')) !== 'plain'
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
