/** `name`: a path inside the folder, a branch or another plain word. */
export type WordKind = 'name' | 'number' | 'text'

/** A command whose accepted further words cannot run another program or reach another folder. */
export interface HarmlessCommand {
  /** The program and its first words. */
  readonly words: readonly string[]
  readonly flags?: string
  /** `--flag`, `--option=<kind>`, `-U<kind>`, or `-n <kind>` with the value in the next word. Nothing else is accepted. */
  readonly options?: readonly string[]
  readonly operands?: WordKind
}

const diffOptions = `--stat --numstat --shortstat --summary --name-only --name-status --check --color --no-color --word-diff --minimal
  --patience --histogram --ignore-all-space --ignore-space-change --ignore-blank-lines --no-ext-diff --no-textconv --no-renames --patch
  --no-patch --raw --relative -U<number> --unified=<number>`
const logOptions = `--oneline --graph --decorate --no-decorate --all --reverse --merges --no-merges --first-parent --follow --abbrev-commit
  --date=<name> --max-count=<number> --skip=<number> --since=<text> --until=<text> --after=<text> --before=<text> --author=<text>
  --grep=<text> --format=<text> --pretty=<text>`
const cargoOptions = `--release --workspace --all --lib --bins --tests --examples --benches --all-targets --all-features --no-default-features
  --locked --offline --frozen --verbose --quiet --keep-going --package=<name> --bin=<name> --test=<name> --example=<name> --features=<name>
  --color=<name> --jobs=<number>`
const cargoValues = [
  '-p <name>',
  '--package <name>',
  '--bin <name>',
  '--test <name>',
  '--example <name>',
  '--features <name>',
  '-j <number>',
]
const goOptions =
  '-v -x -race -short -failfast -cover -count=<number> -run=<text> -bench=<text> -timeout=<name>'
const goValues = ['-run <text>', '-bench <text>', '-count <number>', '-timeout <name>']
const pytestOptions = `--lf --ff --last-failed --failed-first --new-first --stepwise --collect-only --co --no-header --no-summary --verbose --quiet
  --exitfirst --showlocals --tb=<name> --maxfail=<number> --durations=<number> --color=<name> -k=<text> -m=<text>`

/**
 * Programs that may be allowed with free words. Everything else is allowed word for word: tools that start scripts (`npm test -- …`),
 * interpreters, wrappers (`env`, `xargs`, `timeout`), and options that run a program or write other files
 * (`git -c`, `--output`).
 */
export const harmlessCommands: readonly HarmlessCommand[] = [
  { words: ['pwd'] },
  {
    words: ['ls'],
    flags: '1ACFGHLRSTUacdfghiklnopqrstux',
    options: list('--all --human-readable --recursive'),
    operands: 'name',
  },

  {
    words: ['git', 'status'],
    flags: 'sbvz',
    options: list(
      '--short --branch --long --porcelain --porcelain=<name> --show-stash --ignored -uno -uall -unormal --untracked-files=<name>',
    ),
    operands: 'name',
  },
  {
    words: ['git', 'diff'],
    flags: 'bpwz',
    options: list(`${diffOptions} --cached --staged --merge-base`),
    operands: 'name',
  },
  {
    words: ['git', 'log'],
    flags: 'p0123456789',
    options: [...list(`${diffOptions} ${logOptions}`), '-n <number>'],
    operands: 'name',
  },
  { words: ['git', 'show'], flags: 'psw', options: list(`${diffOptions} ${logOptions}`), operands: 'name' },
  {
    words: ['git', 'branch'],
    flags: 'arv',
    options: list('--show-current --list --all --remotes --verbose'),
  },
  { words: ['git', 'ls-files'], flags: 'comdst', operands: 'name' },
  {
    words: ['git', 'add'],
    flags: 'Aunv',
    options: list('--all --update --dry-run --verbose'),
    operands: 'name',
  },
  {
    words: ['git', 'commit'],
    flags: 'aqv',
    options: [
      '-m <text>',
      '-am <text>',
      '--message <text>',
      '--message=<text>',
      '--all',
      '--quiet',
      '--verbose',
      '--dry-run',
    ],
  },

  ...['build', 'check', 'clippy', 'doc'].map((word): HarmlessCommand => ({
    words: ['cargo', word],
    flags: 'qvr',
    options: [...list(cargoOptions), ...cargoValues],
  })),
  {
    words: ['cargo', 'test'],
    flags: 'qvr',
    options: [...list(`${cargoOptions} --no-run --no-fail-fast --doc`), ...cargoValues],
    operands: 'name',
  },
  { words: ['cargo', 'fmt'], flags: 'qv', options: list('--all --check') },

  ...['build', 'vet'].map((word): HarmlessCommand => ({
    words: ['go', word],
    options: list('-v -x -race'),
    operands: 'name',
  })),
  { words: ['go', 'test'], options: [...list(goOptions), ...goValues], operands: 'name' },

  {
    words: ['pytest'],
    flags: 'vqxsl',
    options: [...list(pytestOptions), '-k <text>', '-m <text>'],
    operands: 'name',
  },
  {
    words: ['ruff', 'check'],
    flags: 'qv',
    options: list('--no-fix --quiet --statistics --show-files'),
    operands: 'name',
  },
  { words: ['ruff', 'format'], flags: 'qv', options: list('--check --diff --quiet'), operands: 'name' },
  {
    words: ['tsc'],
    flags: 'bp',
    options: list('--noEmit --build --pretty --verbose --force --dry --incremental --strict'),
    operands: 'name',
  },
  { words: ['eslint'], options: list('--quiet --max-warnings=<number>'), operands: 'name' },
  {
    words: ['prettier'],
    flags: 'cl',
    options: list('--check --list-different --no-color'),
    operands: 'name',
  },
]

function list(options: string): readonly string[] {
  return options.split(/\s+/)
}
