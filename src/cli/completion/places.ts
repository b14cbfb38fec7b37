/** The command tree as completion scripts need it: what may follow each command. Pure. */
import type { Command, Option } from 'commander';

import { hasArgumentValues, hasValues, pathOf } from './wanted-value.ts';

export interface Place {
  /** The words that lead here, "oci run"; empty for the program itself. */
  readonly path: string;
  readonly words: readonly PlaceWord[];
  /** Flags whose value the program is asked for: "--context", "-o". */
  readonly valueFlags: readonly string[];
  /** The program is asked for the arguments too. */
  readonly asksArguments: boolean;
  /** Further commands are below it. */
  readonly isNoun: boolean;
}

export interface PlaceWord {
  readonly word: string;
  readonly description: string;
}

/** The tree of commands is ours, and two levels deep: recursion is bounded by it. */
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
