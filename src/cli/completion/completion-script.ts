/**
 * Completion scripts, made from the command tree itself, so that they can't fall behind it. Commands and options are in
 * the script: only for values that a look tells, such as the names of snapshots, the program is started.
 */
import type { Command } from 'commander';

import { fishScript } from './fish-script.ts';
import { type Place, placesOf } from './places.ts';
import { COMPLETE, type Shell } from './shells.ts';

export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program);
  switch (shell) {
    case 'bash':
      return bashScript(places);
    case 'zsh':
      return zshScript(places);
    case 'fish':
      return fishScript(places);
    default:
      return shell satisfies never;
  }
}

/** A function that sets list, values and asks for a place; it fails for one that does not exist. */
function placeFunction(places: readonly Place[]): string {
  const cases = places.map(({ path, words, valueFlags, asksArguments }) => {
    const list = `list='${words.map(({ word }) => word).join(' ')}'`;
    const values = valueFlags.length === 0 ? '' : ` values='${valueFlags.join(' ')}'`;
    return `    '${path}') ${list}${values}${asksArguments ? ' asks=1' : ''} ;;`;
  });
  return `_lifehook_place() {
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
`;
}

/** bash splits words at ":" and "=" too: what was typed of the last one is in COMP_LINE. */
function bashScript(places: readonly Place[]): string {
  return `${placeFunction(places)}_lifehook() {
  local list='' values='' asks='' typed=() word whole
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || typed+=("$word"); done
  _lifehook_place "\${typed[*]:0:2}" || _lifehook_place "\${typed[0]}" || _lifehook_place ''
  whole=\${COMP_LINE:0:COMP_POINT} whole=\${whole##*[[:space:]]}
  [[ $prev != '=' ]] || { prev=\${COMP_WORDS[COMP_CWORD-2]} whole=\${whole#*=}; }
  [[ $cur != '=' ]] || { cur='' whole=''; }
  [[ $whole == *"$cur" ]] || whole=$cur
  if [[ " $values " == *" $prev "* ]] || [[ -n $asks && $cur != -* ]]; then
    list=$("\${COMP_WORDS[0]}" ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
  fi
  local IFS=$' \\n'
  [[ $whole == -* ]] || list=$(printf '%s\\n' $list | grep -v '^-')
  mapfile -t COMPREPLY < <(compgen -W "$list" -- "$whole")
  COMPREPLY=("\${COMPREPLY[@]#"\${whole%"$cur"}"}")
}
complete -o default -F _lifehook lifehook
`;
}

function zshScript(places: readonly Place[]): string {
  return `#compdef lifehook
whence compdef >/dev/null || { autoload -Uz compinit && compinit }
${placeFunction(places)}_lifehook() {
  local list='' values='' asks='' word
  local cur=$words[CURRENT] prev=$words[CURRENT-1]
  local -a typed found
  for word in $words[2,CURRENT-1]; do [[ $word == -* ]] || typed+=("$word"); done
  _lifehook_place "$typed[1] $typed[2]" || _lifehook_place "$typed[1]" || _lifehook_place ''
  if [[ " $values " == *" $prev "* ]] || [[ -n $asks && $cur != -* ]]; then
    found=(\${(f)"$($words[1] ${COMPLETE} $words[2,CURRENT-1] 2>/dev/null)"})
  else
    found=(\${=list})
  fi
  if (( $#found )); then compadd -- $found; else _files; fi
}
compdef _lifehook lifehook
`;
}
