import { basename, sep } from 'node:path'

/** `secret`: every use needs approval. `program`: only a change does, because reading the file does no harm. */
export type Sensitivity = 'secret' | 'program'

interface SensitiveFiles {
  readonly sensitivity: Sensitivity
  /** Matched against the path, or with `names`, against the name of the file. In lower case, with slashes. */
  readonly paths?: readonly RegExp[]
  readonly names?: readonly RegExp[]
}

/** The first entry that matches counts. */
const table: readonly SensitiveFiles[] = [
  {
    // Folders whose files all count as secret.
    sensitivity: 'secret',
    paths: [
      /(?:^|\/)\.(?:ssh|gnupg|aws|azure|kube|password-store)\//,
      /(?:^|\/)\.config\/(?:gcloud|gh|op)\//,
      /(?:^|\/)(?:\.docker\/config\.json|\.claude\/\.credentials\.json|\.m2\/settings(?:-security)?\.xml)$/,
      /(?:^|\/)(?:\.codex|\.?composer|containers|opencode)\/auth\.json$/,
      /^\/proc\/.*\/(?:environ|mem)$/,
    ],
  },
  {
    // Git's own files, and Ostler's settings and state. They make programs run, or contain addresses with passwords.
    sensitivity: 'secret',
    paths: [
      /(?:^|\/)\.git(?:\/|$)/,
      /(?:^|\/)ostler\.(?:jsonc?|ya?ml)$/,
      /(?:^|\/)\.config\/ostler\//,
      /(?:^|\/)\.local\/state\/ostler\//,
    ],
  },
  {
    sensitivity: 'secret',
    names: [
      // Templates of such files contain no secrets.
      /^\.env(?!\.(?:example|sample|template|dist|defaults?)$)(?:rc|[.~_-].*)?$/,
      /.\.env$/,
      /^secrets\.(?:json|toml|ya?ml)$/,
      /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx)$/,
      /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
      /^[._](?:netrc|npmrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|vault-token|boto|s3cfg)$/,
      /^credentials(?:\.json|\.toml|\.ya?ml)?$/,
      /^client_secret.*\.json$/,
      /^service[-_]account.*\.json$/,
      /^(?:kubeconfig|rclone\.conf)$/,
      /\.(?:tfstate(?:\.backup)?|tfvars(?:\.json)?)$/,
      /^\.\w+_history$/,
    ],
  },
  {
    // Git runs these on a commit.
    sensitivity: 'program',
    paths: [/(?:^|\/)\.(?:husky|githooks)\//, /(?:^|\/)\.config\/git\//],
    names: [/^\.gitconfig$/, /^\.?lefthook(?:-local)?\.(?:json|toml|ya?ml)$/, /^\.pre-commit-config\.ya?ml$/],
  },
  {
    // An editor that opens the folder reads these.
    sensitivity: 'program',
    paths: [/(?:^|\/)\.(?:vscode|idea|zed|devcontainer|helix)\//],
    names: [/\.code-workspace$/, /^\.devcontainer\.json$/, /^\.(?:exrc|n?vimrc|nvim\.lua|dir-locals\.el)$/],
  },
  {
    // An agent that works in the folder starts what these name.
    sensitivity: 'program',
    paths: [
      /(?:^|\/)\.(?:cursor|claude|gemini|codex|kiro)\/(?:hooks\/|(?:.*\/)?(?:settings|mcp|hooks|config)(?:\.local)?\.(?:json|toml)$)/,
      /(?:^|\/)\.(?:opencode|roo|kilocode|junie|qwen|amazonq|copilot|factory)\/(?:.*\/)?(?!\w+\.md$)[^/]+$/,
    ],
    names: [/^(?:\.mcp\.json|ostler\.lock)$/, /^opencode\.jsonc?$/, /^\.?crush\.json$/],
  },
  {
    // A new shell or a login runs these.
    sensitivity: 'program',
    paths: [
      /(?:^|\/)\.config\/(?:fish|autostart|systemd|mise)\//,
      /(?:^|\/)library\/launch(?:agents|daemons)\//,
    ],
    names: [
      /^\.(?:bash|zsh|ksh|csh|tcsh)(?:rc|env)$/,
      /^\.(?:bash_|z)?(?:profile|login|logout|aliases)$/,
      /^\.rprofile$/,
      /^\.?mise(?:\.local)?\.toml$/,
    ],
  },
  {
    // Build tools read these at each use, and run the programs that they name.
    sensitivity: 'program',
    paths: [/(?:^|\/)\.cargo\/config(?:\.toml)?$/, /(?:^|\/)\.(?:mvn|yarn|bundle)\//],
    names: [/^\.yarnrc(?:\.ya?ml)?$/, /^\.pnpmfile\.[cm]?js$/, /^\.bazelrc$/, /^bunfig\.toml$/],
  },
]

/** Undefined for an ordinary file. */
export function sensitivityOf(path: string): Sensitivity | undefined {
  const name = basename(path).toLowerCase()
  const slashed = path.split(sep).join('/').toLowerCase()
  const matches = ({ paths = [], names = [] }: SensitiveFiles) =>
    paths.some((pattern) => pattern.test(slashed)) || names.some((pattern) => pattern.test(name))
  return table.find(matches)?.sensitivity
}

/** True if a person should be asked before this file is read or changed, whatever the mode. */
export function isSecretPath(path: string): boolean {
  return sensitivityOf(path) === 'secret'
}
