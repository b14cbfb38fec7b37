/**
 * Tests the help of every command without a process. `test/e2e/command-line.test.ts` tests the help of the built
 * program.
 */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { buildProgram } from './program.ts';

interface Help {
  /** The names of the command, such as "oci run"; '' for the program itself. */
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

  it('begins with a verb in the imperative', () => {
    const reported = helps.filter(({ path }) => path !== '');
    const wrong = reported.filter(({ command }) => {
      const [verb = ''] = command.description().split(/[ ,]/u);
      return !IMPERATIVES.has(verb);
    });
    expect(wrong.map(({ path, command }) => `${path}: ${command.description()}`)).toEqual([]);
  });

  it('is in groups at the top, one line for each command of 80 columns', () => {
    const [top] = helps;
    const text = top?.text ?? '';
    const headings = [...text.matchAll(/^([A-Z][a-z ]+):$/gmu)].map(([, heading]) => heading);
    expect(headings).toEqual([
      'Options',
      'Local cluster',
      'Pipeline',
      'Kubernetes',
      'Containers',
      'Files of any lifecycle',
      'Looking back',
      'This program',
    ]);
    const lines = text.slice(text.indexOf('Local cluster:')).trimEnd().split('\n');
    const other = lines.filter((line) => !/^( {2}[a-z]+ {2,}[A-Z].*|[A-Z].*:|)$/u.test(line));
    expect(other).toEqual([]);
    let whole = '';
    top?.command.configureOutput({
      writeOut: (part) => {
        whole += part;
      },
    });
    top?.command.outputHelp();
    expect(whole).toContain('Exit codes:');
    expect(whole.split('\n').filter((line) => line.length > COLUMNS)).toEqual([]);
  });

  it('offers every form of output wherever a table is', () => {
    const tables = [
      'image list',
      'oci list',
      'oci records',
      'pipeline history',
      'recipes list',
      'rollout history',
      'runs list',
      'snapshot list',
    ];
    const offering = helps.filter(({ command }) =>
      command.options.some(
        ({ long, argChoices }) => long === '--output' && argChoices?.includes('wide') === true,
      ),
    );
    expect(offering.map(({ path }) => path).toSorted()).toEqual(tables);
  });
});

/** The default width of a terminal, in which help has to be readable. */
const COLUMNS = 80;

const IMPERATIVES: ReadonlySet<string> = new Set(
  `Abort Add Apply Build Check Convert Create Delete Deploy Find Follow Freeze Give Import List Mark Print Prove Remove
  Retry Rewrite Run Send Show Start Stop Take Thaw Work`.split(/\s+/u),
);
