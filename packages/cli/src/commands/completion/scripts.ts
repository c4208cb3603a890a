/**
 * Completion scripts for shells. They pass the words to `ostler __complete`, so they never become outdated. Each output line is a
 * candidate, optionally with a tab and a description. The last line says what else to offer.
 */
export const completionScripts = {
  bash: `# Completes the commands of ostler in bash: source <(ostler completion bash)
_ostler() {
  local line candidate directive=
  local -a lines
  COMPREPLY=()
  mapfile -t lines < <("$1" __complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  for line in "\${lines[@]}"; do
    case "$line" in
    :*) directive=$line ;;
    *)
      candidate=\${line%%$'\\t'*}
      COMPREPLY+=("$(printf '%q' "$candidate")")
      ;;
    esac
  done
  local current=\${COMP_WORDS[COMP_CWORD]}
  [[ $current == '=' ]] && current=
  case "$directive" in
  :file)
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    ;;
  :directory)
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
    ;;
  esac
}
complete -F _ostler ostler
`,
  zsh: `#compdef ostler
# Completes the commands of ostler in zsh. As a file named _ostler in a directory of $fpath, or: source <(ostler completion zsh)
_ostler() {
  local line directive candidate description
  local -a lines candidates
  lines=("\${(@f)$("\${words[1]}" __complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    case "$line" in
      :*) directive=$line ;;
      ?*)
        candidate=\${line%%$'\\t'*}
        description=
        [[ $line == *$'\\t'* ]] && description=":\${line#*$'\\t'}"
        candidates+=("\${candidate//:/\\\\:}$description")
        ;;
    esac
  done
  [[ $PREFIX == --*=* ]] && compset -P '*='
  case "$directive" in
    :file) _files ;;
    :directory) _files -/ ;;
    *) (( \${#candidates} )) && _describe 'ostler' candidates ;;
  esac
}
if [[ $funcstack[1] == _ostler ]]; then
  _ostler "$@"
else
  compdef _ostler ostler
fi
`,
  fish: `# Completes the commands of ostler in fish: ostler completion fish > ~/.config/fish/completions/ostler.fish
function __ostler_complete
  set -l words (commandline -opc)
  set -l command $words[1]
  set -e words[1]
  set -l current (commandline -ct)
  for line in ($command __complete fish -- $words "$current" 2>/dev/null)
    switch $line
      case ':file'
        __fish_complete_path "$current"
      case ':directory'
        __fish_complete_directories "$current"
      case ':*'
      case '*'
        echo $line
    end
  end
end
complete -c ostler -f -a '(__ostler_complete)'
`,
} as const
