import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { findHome, findXdgDirectory } from '../base/find-home.ts'
import { isInside } from '../base/is-inside.ts'
import { isSecretPath } from '../base/sensitive-path.ts'
import type { FencePlace } from './fence.ts'
import type { FenceProfile, Place } from './fence-profile.ts'
import { findProtected } from './find-protected.ts'

/** Other users write into these, and services have their sockets there. */
const temporaryDirectories = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp']

/** Sockets, the home directories of all users, and what only root can read, because Ostler may run as root. */
const concealedPlaces = [
  '/run',
  '/var/run',
  '/home',
  '/root',
  '/Users',
  '/mnt/wslg',
  '/var/lib/docker',
  '/var/spool',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/sudoers.d',
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
]

/** Of the state directory. Servers start there that must not find anything in their working directory. */
const emptyFolder = 'empty'
/** NixOS has its programs here. */
const visibleAnyway = ['/run/current-system']

/** Looks for what must be protected. A directory that contains the home directory never becomes writable. */
export async function loadFenceProfile({
  writable,
  ownFiles = [],
  stateDir,
}: FencePlace): Promise<FenceProfile> {
  const own = [
    stateDir,
    findXdgDirectory(process.env, 'XDG_STATE_HOME', '.local/state'),
    findXdgDirectory(process.env, 'XDG_CONFIG_HOME', '.config'),
  ]
  const home = await realpath(findHome(process.env) ?? '/')
  const roots = (await existing(writable)).filter((root) => !isInside(home, root))
  const [temporary, concealed, inHome, projects, files, anyway, sockets] = await Promise.all([
    existing(temporaryDirectories),
    existing([...concealedPlaces, ...own]),
    lookAtHome(home),
    Promise.all(roots.map(findProtected)),
    existing(ownFiles),
    existing([...visibleAnyway, stateDir && join(stateDir, emptyFolder)]),
    findSockets(),
  ])
  const isOpen = (path: string) => roots.some((root) => isInside(path, root))
  const visible = [...inHome.visible, ...anyway]
  return {
    writable: [...roots, ...projects.flatMap(({ fixed }) => fixed)],
    readOnly: [...projects.flatMap(({ readOnly }) => readOnly), ...files.filter(isOpen)],
    absent: projects.flatMap(({ absent }) => absent),
    temporary,
    hidden: await asPlaces([...concealed, home, ...inHome.hidden, ...sockets]),
    visible,
  }
}

/** Real paths, each once. What does not exist is left out. */
async function existing(paths: readonly (string | undefined)[]): Promise<string[]> {
  const found = paths.map(async (path) => (path ? [await realpath(path)] : []))
  return [
    ...new Set(
      (await Promise.allSettled(found)).flatMap((each) => (each.status === 'fulfilled' ? each.value : [])),
    ),
  ]
}

async function asPlaces(paths: readonly string[]): Promise<Place[]> {
  const found = [...new Set(paths)].map(async (path) => {
    const at = await stat(path).catch(() => undefined)
    return at && { path, isDirectory: at.isDirectory() }
  })
  return (await Promise.all(found)).filter((place) => place !== undefined)
}

/** Folders of the home directory in which programs have a place each. */
const sharedFolders = [
  '.config',
  '.local',
  '.local/share',
  '.local/state',
  '.cache',
  '.cargo',
  '.m2',
  '.var/app',
]

/** Places in the home directory with logins, mail and browsers, besides the files that are secret anywhere. */
const secretPlaces: ReadonlySet<string> = new Set([
  '.docker',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.cursor',
  '.mozilla',
  '.thunderbird',
  '.pki',
  '.1password',
  '.bitcoin',
  '.electrum',
  '.ethereum',
  '.terraform.d',
  '.fly',
  '.cargo/credentials',
  '.config/BraveSoftware',
  '.config/Bitwarden',
  '.config/Code',
  '.config/Cursor',
  '.config/Signal',
  '.config/Slack',
  '.config/chromium',
  '.config/containers',
  '.config/doctl',
  '.config/git-credential',
  '.config/glab-cli',
  '.config/google-chrome',
  '.config/heroku',
  '.config/hub',
  '.config/microsoft-edge',
  '.config/netlify',
  '.config/rclone',
  '.config/stripe',
  '.config/configstore',
  '.config/1Password',
  '.local/share/TelegramDesktop',
  '.local/share/containers',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.local/share/opencode',
  '.local/state/ostler',
])

/**
 * The home directory is emptied, and what is not secret is shown in it again. So a secret that comes later, or
 * replaces another file, stays invisible.
 */
async function lookAtHome(home: string): Promise<{ readonly visible: string[]; readonly hidden: string[] }> {
  const isSecret = (path: string) =>
    secretPlaces.has(relative(home, path)) || isSecretPath(path) || isSecretPath(join(path, 'any'))
  const look = async (folder: string) => {
    const names = await readdir(join(home, folder)).catch(() => [])
    return Promise.all(
      names.map(async (name) => {
        const path = join(home, folder, name)
        // A link leads to a secret as well.
        const real = await realpath(path).catch(() => undefined)
        return { path, isSecret: real === undefined || isSecret(path) || isSecret(real) }
      }),
    )
  }
  const [top, ...shared] = await Promise.all(['.', ...sharedFolders].map(look))
  return {
    visible: (top ?? []).filter((entry) => !entry.isSecret).map(({ path }) => path),
    hidden: shared
      .flat()
      .filter((entry) => entry.isSecret)
      .map(({ path }) => path),
  }
}

/** A program can connect to a socket that it can only read. Linux lists the paths of those that listen. */
async function findSockets(): Promise<string[]> {
  const list = await readFile('/proc/net/unix', 'utf8').catch(() => '')
  const paths = [...list.matchAll(/ 00010000 .* (\/.+)$/gm)].map(([, path]) => path)
  return existing(paths.filter((path) => !/^\/(?:dev|proc|run|tmp)\//.test(path ?? '')))
}
