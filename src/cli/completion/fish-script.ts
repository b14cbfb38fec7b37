/** The completion script for fish, which shows a description next to each word. Pure. */
import type { Place, PlaceWord } from './places.ts';
import { COMPLETE } from './shells.ts';

export function fishScript(places: readonly Place[]): string {
  return `${HEAD}${places.flatMap(linesOf).join('\n')}\n`;
}

/** A noun is left with the next word; any other command keeps its place. */
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
  const told = `-d '${description.replaceAll("'", '’')}'`;
  if (!word.startsWith('--')) return `-f -a ${word} ${told}`;
  const value = asked.has(word) ? ` -x -a '(__lifehook_ask)'` : '';
  return `-l ${word.slice(2)}${value} ${told}`;
}
