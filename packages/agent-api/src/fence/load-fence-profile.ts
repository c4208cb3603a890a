import { readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { findHome, findXdgDirectory } from '../base/find-home.ts'
import { isInside } from '../base/is-inside.ts'
import { isSecretPath } from '../base/sensitive-path.ts'
import type { FencePlace } from './fence.ts'
import type { FenceProfile, Place } from './fence-profile.ts'
import { existing, findProtected } from './find-protected.ts'

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
  const home = await findRealHome()
  const roots = (await existing(writable)).filter((root) => !isInside(home ?? '/', root))
  const [temporary, concealed, inHome, projects, files, visible, sockets] = await Promise.all([
    existing([...temporaryDirectories, tmpdir()]),
    existing([...concealedPlaces, ...placesOfPrograms(), stateDir, home]),
    lookAtHome(home),
    Promise.all(roots.map(findProtected)),
    existing(ownFiles),
    existing([...visibleAnyway, home && join(home, '.config/git'), stateDir && join(stateDir, emptyFolder)]),
    findSockets(),
  ])
  const isOpen = (path: string) => roots.some((root) => isInside(path, root))
  return {
    writable: [...roots, ...projects.flatMap(({ fixed }) => fixed)],
    readOnly: [...projects.flatMap(({ readOnly }) => readOnly), ...files.filter(isOpen)],
    absent: projects.flatMap(({ absent }) => absent),
    temporary,
    hidden: await asPlaces([
      ...concealed,
      ...inHome.hidden,
      ...sockets.filter((path) => isOpen(path) || !/^\/(?:dev|proc|run|tmp)\//.test(path)),
    ]),
    visible: [...inHome.visible, ...visible],
  }
}

/** Without a home directory of its own, a user has `/`. */
export async function findRealHome(): Promise<string | undefined> {
  return (await existing([findHome(process.env)])).find((path) => path !== '/')
}

/** The settings and the state of all programs, Ostler's included. */
function placesOfPrograms(): readonly (string | undefined)[] {
  const own = [
    findXdgDirectory(process.env, 'XDG_STATE_HOME', '.local/state'),
    findXdgDirectory(process.env, 'XDG_CONFIG_HOME', '.config'),
  ]
  return own.map((path) => path && dirname(path))
}

async function asPlaces(paths: readonly string[]): Promise<Place[]> {
  const found = paths.map(async (path) => {
    const at = await stat(path).catch(() => undefined)
    return at === undefined ? [] : [{ path, isDirectory: at.isDirectory() }]
  })
  return (await Promise.all(found)).flat()
}

/** Folders of the home directory in which each program has a place of its own. */
export const sharedFolders = ['.local/share', '.cache', '.cargo', '.m2', '.config/git']

/** Settings with logins, mail, browsers and chats, besides the files that are secret anywhere. */
export const secretPlaces: ReadonlySet<string> = new Set([
  '.cache/huggingface',
  '.claude',
  '.claude.json',
  '.codex',
  '.cursor',
  '.docker',
  '.gemini',
  '.local/share/TelegramDesktop',
  '.local/share/containers',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.mozilla',
  '.pki',
  '.terraform.d',
  '.thunderbird',
  '.var',
])

/**
 * The home directory is emptied, and what is not secret is shown in it again. So a secret that comes later, or
 * replaces another file, stays invisible.
 */
async function lookAtHome(
  home: string | undefined,
): Promise<Pick<FenceProfile, 'visible'> & { readonly hidden: readonly string[] }> {
  if (home === undefined) return { visible: [], hidden: [] }
  const isSecret = (path: string) =>
    secretPlaces.has(relative(home, path)) || isSecretPath(path) || isSecretPath(join(path, 'any'))
  const look = async (folder: string) => {
    const names = await readdir(join(home, folder)).catch(() => [])
    const entries = names.map(async (name) => {
      const path = join(home, folder, name)
      // A link can lead to a secret.
      const [real] = await existing([path])
      return { path, isSecret: real === undefined || isSecret(path) || isSecret(real) }
    })
    return Promise.all(entries)
  }
  const [top, shared] = await Promise.all([look('.'), Promise.all(sharedFolders.map(look))])
  return {
    visible: top.flatMap((entry) => (entry.isSecret ? [] : entry.path)),
    hidden: shared.flat().flatMap((entry) => (entry.isSecret ? entry.path : [])),
  }
}

/** A program can connect to a socket that it can only read. Linux lists the paths of those that listen. */
async function findSockets(): Promise<string[]> {
  const list = await readFile('/proc/net/unix', 'utf8').catch(() => '')
  const paths = [...list.matchAll(/ 00010000 .* (\/.+)$/gm)].map(([, path]) => path)
  return existing(paths)
}
