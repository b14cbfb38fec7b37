/** Builders for options of the pipeline's verbs, each with the environment variable of Skaffold. */
import { InvalidArgumentError, Option } from 'commander';

export function text(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(`SKAFFOLD_${variable}`);
}

export function list(flags: string, description: string, variable: string): Option {
  const none: readonly string[] = [];
  return text(flags, description, variable).default(none, 'none').argParser(moreNames);
}

function moreNames(given: string, before: readonly string[]): readonly string[] {
  const names = given.split(',').map((name) => name.trim());
  return [...before, ...names.filter((name) => name !== '')];
}

export function flag(flags: string, description: string, variable: string | null): Option {
  const option = new Option(flags, description).argParser(parseBoolean);
  return variable === null ? option : option.env(`SKAFFOLD_${variable}`);
}

export function parseBoolean(given: string): boolean {
  if (given === 'true' || given === '1') return true;
  if (given === 'false' || given === '0') return false;
  throw new InvalidArgumentError('It must be true or false.');
}
