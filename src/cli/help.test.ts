/** The help of every command, without a process: the built program's own is in `test/e2e/command-line.test.ts`. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { buildProgram } from './program.ts';

interface Help {
  /** "oci run"; empty for the program itself. */
  readonly path: string;
  readonly command: Command;
  readonly text: string;
}

function walk(command: Command, path: readonly string[] = []): Help[] {
  const below = command.commands.flatMap((one) => walk(one, [...path, one.name()]));
  return [{ path: path.join(' '), command, text: command.helpInformation() }, ...below];
}

const helps = walk(buildProgram(() => undefined));

describe('the help of every command', () => {
  it.each(helps.map(({ path, ...help }) => [path, help] as const))(
    'of "%s" has a usage, a summary, and a description of each argument, option and command',
    (path, { command, text }) => {
      const [usage = '', blank, summary = ''] = text.split('\n');
      expect(usage).toMatch(new RegExp(`^Usage: \\S+${path === '' ? '' : ` ${path}`}( |$)`));
      expect([blank, summary.length > 10]).toEqual(['', true]);
      const help = command.createHelp();
      const entries = [
        ...command.registeredArguments.map((one) => [one.name(), one.description]),
        ...help.visibleOptions(command).map((one) => [one.flags, one.description]),
        ...help.visibleCommands(command).map((one) => [one.name(), one.description()]),
      ];
      expect(entries.length).toBeGreaterThan(0);
      expect(entries.filter(([, description = '']) => description.length < 3)).toEqual([]);
      for (const [term = ''] of entries) expect(text).toContain(term);
    },
  );

  it('offers --output text and json wherever something is listed', () => {
    const listing = ['oci lint', 'oci explain', 'oci list', 'oci records'];
    const found = helps.filter(({ path }) => listing.includes(path));
    expect(found).toHaveLength(listing.length);
    for (const { text } of found) expect(text).toMatch(/-o, --output <format>[^]*"text", "json"/);
  });
});
