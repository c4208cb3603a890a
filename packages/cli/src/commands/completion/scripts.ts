/**
 * Completion scripts for shells. They pass the words to `ostler __complete`, so they never become outdated. Each output line is a
 * candidate, optionally with a tab and a description. The last line says what else to offer.
 */
export const completionScripts = {
  bash: `# Completes the commands of ostler in bash 3.2 and newer: eval "$(ostler completion bash)"
_ostler() {
  local line candidate directive=
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
    :*) directive=$line ;;
    *)
      candidate=\${line%%$'\\t'*}
      COMPREPLY+=("$(printf '%q' "$candidate")")
      ;;
    esac
  done < <("$1" __complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  local current=\${COMP_WORDS[COMP_CWORD]}
  [[ $current == '=' ]] && current=
  case "$directive" in
  :file) _ostler_paths -f "$current" ;;
  :directory) _ostler_paths -d "$current" ;;
  esac
}
_ostler_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$2")
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
  powershell: `# Completes the commands of ostler in PowerShell: ostler completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName ostler -ScriptBlock {
  param($current, $line, $position)
  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.Extent.Text })
  $words = @($before | Select-Object -Skip 1)
  # Older versions drop an empty argument, so the word under the cursor begins with a plus sign.
  foreach ($found in @(& $before[0] __complete powershell -- @words "+$current" 2>$null)) {
    if ($found -eq ':file' -or $found -eq ':directory') {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($current)
    } elseif (-not $found.StartsWith(':')) {
      $text, $description = $found -split [char]9, 2
      if (-not $description) { $description = $text }
      $quoted = if ($text -match '[^\\w=./:-]') { "'" + $text.Replace("'", "''") + "'" } else { $text }
      [System.Management.Automation.CompletionResult]::new($quoted, $text, 'ParameterValue', $description)
    }
  }
}
`,
} as const

export type Shell = keyof typeof completionScripts
