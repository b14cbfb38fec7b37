/**
 * Completion scripts, made from the command tree itself, so that they can't fall behind it. They are
 * static: pressing Tab never starts Node.
 */
import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;

/** For this name alone: kubectl completes its plugins in a way of its own. */
const NAME = 'lifehook';

interface Place {
  /** The words that lead here, "oci run"; empty for the program itself. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

export function completionScript(program: Command, shell: string): string {
  const places = placesOf(program, '');
  if (shell === 'fish') return fishScript(NAME, places);
  const bash = bashScript(NAME, places);
  return shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${bash}` : bash;
}

/** The tree of commands is ours, and two levels deep: recursion is bounded by it. */
function placesOf(command: Command, path: string): Place[] {
  const commands = command.commands.map((one) => ({
    word: one.name(),
    description: one.description(),
  }));
  const options = command.options.flatMap(({ long, description }) =>
    typeof long === 'string' ? [{ word: long, description }] : [],
  );
  const help = { word: '--help', description: 'show help' };
  const below = command.commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`.trim()));
  return [{ path, words: [...commands, ...options, help] }, ...below];
}

function bashScript(name: string, places: readonly Place[]): string {
  const cases = places.map(
    ({ path, words }) => `    '${path}') words='${words.map(({ word }) => word).join(' ')}' ;;`,
  );
  return `_${name}() {
  local words path=() word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || path+=("$word"); done
  case "\${path[*]:0:2}" in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _${name} ${name}
`;
}

function fishScript(name: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words }) => {
    const condition =
      path === ''
        ? '__fish_use_subcommand'
        : `__fish_seen_subcommand_from ${path.split(' ').at(-1) ?? ''}`;
    return words.map(({ word, description }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c ${name} -n '${condition}' ${what} -d '${description.replaceAll("'", '’')}'`;
    });
  });
  return `${lines.join('\n')}\n`;
}
