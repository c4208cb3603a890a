import { basename, sep } from 'node:path'

/** Files that usually hold secrets, by name. */
const secretNames: readonly RegExp[] = [
  /^\.env(?:rc|\..+)?$/,
  /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^[._](?:netrc|npmrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|vault-token|boto|s3cfg)$/,
  /^credentials(?:\.json|\.toml|\.ya?ml)?$/,
  /^client_secret.*\.json$/,
  /^service[-_]account.*\.json$/,
]

/** Templates for such files, which hold none. */
const templateName = /^\.env\.(?:example|sample|template|dist|defaults?)$/

/** Folders whose files are all treated as secret, or can run programs. */
const secretFolders: readonly RegExp[] = [
  /(?:^|\/)\.(?:ssh|gnupg|aws|azure|kube|password-store)\//,
  /(?:^|\/)\.config\/(?:gcloud|gh|op)\//,
  /(?:^|\/)\.docker\/config\.json$/,
  /(?:^|\/)\.git\/(?:config$|hooks\/)/,
]

/** True if a person should be asked before this file is read or changed, whatever the mode. */
export function isSensitivePath(path: string): boolean {
  const name = basename(path).toLowerCase()
  if (templateName.test(name)) return false
  const slashed = path.split(sep).join('/').toLowerCase()
  return secretNames.some((pattern) => pattern.test(name)) || secretFolders.some((pattern) => pattern.test(slashed))
}
