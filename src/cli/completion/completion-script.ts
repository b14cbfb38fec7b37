/**
 * Completion scripts, generated from the command tree, so that they cannot become outdated. A script contains the
 * commands and options. It starts the program only for values that have to be read, such as the names of snapshots.
 */
import type { Command, Option } from 'commander';

import { COMPLETE, type Shell } from './shells.ts';
import { hasArgumentValues, hasValues, pathOf } from './wanted-value.ts';

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

/** A shell function that sets `list`, `values` and `asks` for a command path; it fails for an unknown path. */
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

/** bash also splits words at ":" and "=". COMP_LINE has the whole last word. */
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

/** The completion script for fish, which shows a description next to each word. Pure. */
export function fishScript(places: readonly Place[]): string {
  return `${HEAD}${places.flatMap(linesOf).join('\n')}\n`;
}

/**
 * A command with subcommands (`noun`) matches only if no further word follows it. Any other command also matches if
 * arguments follow it.
 */
const HEAD = `function __lifehook_at --argument-names place kind
  set -l typed
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; or set -a typed $word
  end
  set -l wanted (string split -n ' ' -- $place)
  set -l count (count $wanted)
  test $kind = noun; and test (count $typed) -ne $count; and return 1
  test $count -eq 0; and return 0
  test "$typed[1..$count]" = "$wanted"
end
function __lifehook_ask
  command lifehook ${COMPLETE} (commandline -opc)[2..-1] 2>/dev/null
end
`;

function linesOf({ path, words, valueFlags, asksArguments, isNoun }: Place): string[] {
  const begin = `complete -c lifehook -n '__lifehook_at "${path}" ${isNoun ? 'noun' : 'verb'}'`;
  const asked = new Set(valueFlags);
  return [
    ...words.map((word) => `${begin} ${wordText(word, asked)}`),
    ...(asksArguments ? [`${begin} -f -a '(__lifehook_ask)'`] : []),
  ];
}

function wordText({ word, description }: PlaceWord, asked: ReadonlySet<string>): string {
  const reported = `-d '${description.replaceAll("'", '’')}'`;
  if (!word.startsWith('--')) return `-f -a ${word} ${reported}`;
  const value = asked.has(word) ? ` -x -a '(__lifehook_ask)'` : '';
  return `-l ${word.slice(2)}${value} ${reported}`;
}

export interface Place {
  /** The names of the command, such as "oci run"; '' for the program itself. */
  readonly path: string;
  readonly words: readonly PlaceWord[];
  /** Flags whose values the program completes, such as "--context" or "-o". */
  readonly valueFlags: readonly string[];
  /** True: the program completes the arguments too. */
  readonly asksArguments: boolean;
  /** True: the command has subcommands. */
  readonly isNoun: boolean;
}

export interface PlaceWord {
  readonly word: string;
  readonly description: string;
}

/**
 * The words that may follow each command, for completion scripts. Pure. The tree of commands is two levels deep, which
 * bounds the recursion.
 */
export function placesOf(command: Command): readonly Place[] {
  const commands = command.commands.map((one) => ({
    word: one.name(),
    description: one.description(),
  }));
  const options = command.options.flatMap(({ long, description }) =>
    typeof long === 'string' ? [{ word: long, description }] : [],
  );
  const help = { word: '--help', description: 'show help' };
  const place: Place = {
    path: pathOf(command),
    words: [...commands, ...options, help],
    valueFlags: command.options.filter(hasValues).flatMap(flagsOf),
    asksArguments: hasArgumentValues(command),
    isNoun: commands.length > 0,
  };
  return [place, ...command.commands.flatMap(placesOf)];
}

function flagsOf({ long, short }: Option): string[] {
  return [long, short].filter((flag) => typeof flag === 'string');
}
