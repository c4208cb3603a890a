import { basename, sep } from 'node:path'

/** Files that usually hold secrets, by name. */
const secretNames: readonly RegExp[] = [
  /^\.env(?:rc|[.~_-].*)?$/,
  /\.env$/,
  /^secrets\.(?:json|toml|ya?ml)$/,
  /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^[._](?:netrc|npmrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|vault-token|boto|s3cfg)$/,
  /^credentials(?:\.json|\.toml|\.ya?ml)?$/,
  /^client_secret.*\.json$/,
  /^service[-_]account.*\.json$/,
]

/** Templates for such files, which hold none. */
const templateName = /^\.env\.(?:example|sample|template|dist|defaults?)$/

/** Folders whose files are all treated as secret. */
const secretFolders: readonly RegExp[] = [
  /(?:^|\/)\.(?:ssh|gnupg|aws|azure|kube|password-store)\//,
  /(?:^|\/)\.config\/(?:gcloud|gh|op)\//,
  /(?:^|\/)\.docker\/config\.json$/,
]

/** Files that can make another program run: Git's own, and Ostler's settings and state. */
const commandFiles: readonly RegExp[] = [
  /(?:^|\/)\.git(?:\/|$)/,
  /(?:^|\/)ostler\.(?:jsonc?|ya?ml)$/,
  /(?:^|\/)\.config\/ostler\//,
  /(?:^|\/)\.local\/state\/ostler\//,
]

/** True if a person should be asked before this file is read or changed, whatever the mode. */
export function isSensitivePath(path: string): boolean {
  const name = basename(path).toLowerCase()
  const slashed = path.split(sep).join('/').toLowerCase()
  if ([...secretFolders, ...commandFiles].some((pattern) => pattern.test(slashed))) return true
  return !templateName.test(name) && secretNames.some((pattern) => pattern.test(name))
}
