import { Command } from 'commander';
import { describe, expect, it, vi } from 'vitest';

import { buildProgram, runProgram } from '../program.ts';
import { withReason } from './refused-flags.ts';
import {
  withLabelOption,
  withPipelineOptions,
  withPlatformOption,
  withPruneOption,
  withStayOptions,
} from './options.ts';

function parse(...args: string[]): Record<string, unknown> {
  const command = new Command('run').exitOverride().configureOutput({ writeErr: () => undefined });
  withPruneOption(
    withPlatformOption(withLabelOption(withStayOptions(withPipelineOptions(command)))),
  );
  return command.parse(args, { from: 'user' }).opts();
}

describe('the options of the shipped tool', () => {
  it('take labels more than once, also several at once and without a value', () => {
    const { label } = parse('-l', 'team=web,acme.dev/stage=', '--label', 'bare');
    expect(label).toEqual({ team: 'web', 'acme.dev/stage': '', bare: '' });
  });

  it.each(['=x', 'a b=1', 'a=b c', '-a=1', 'a/b/c=1', `a=${'x'.repeat(64)}`])(
    'refuse the label %s',
    (label) => {
      expect(() => parse('--label', label)).toThrow(
        /is not (?:the name of a label|a label value)/u,
      );
    },
  );

  it('take platforms in a list or one by one', () => {
    const { platform } = parse('--platform', 'linux/amd64,linux/arm64', '--platform=linux/386');
    expect(platform).toEqual(['linux/amd64', 'linux/arm64', 'linux/386']);
  });

  it.each([
    [['--port-forward'], true],
    [['--port-forward=user'], true],
    [['--port-forward=off'], false],
    [['--port-forward=false'], false],
    [[], false],
  ])('%j forwards ports: %s', (args, expected) => {
    expect(parse(...args)['portForward']).toBe(expected);
  });

  it.each(['services', 'pods', 'user,services'])(
    'refuse to forward %s, with what to do',
    (kinds) => {
      expect(() => parse(`--port-forward=${kinds}`)).toThrow(
        /add the ports to portForward of the file, and write --port-forward=user/u,
      );
    },
  );

  it('have images that stay, and refuse that they do not', () => {
    parse('--no-prune');
    expect(() => parse('--no-prune=false')).toThrow(/unknown option '--no-prune=false'/u);
  });

  it('take the levels of verbosity, and refuse another word', () => {
    expect(parse('-v', 'debug')['verbosity']).toBe('debug');
    expect(() => parse('-v', 'loud')).toThrow(/Allowed choices are trace, debug, info/u);
  });
});

/** The options of Skaffold's commands that Lifehook also has, copied from Skaffold's --help. */
const OF_THE_TOOL = `
assume-yes auto auto-build auto-create-config auto-deploy auto-sync build-artifacts
build-concurrency build-image cache-artifacts cache-file check-cluster-node-platforms
cleanup cloud-run-location cloud-run-project color config default-repo detect-minikube
digest-source disable-multi-platform-build docker-network dry-run
enable-platform-node-affinity env-file file-output filename force hydration-dir images
insecure-registry interactive iterative-status-check keep-running-on-failure kube-context
kubeconfig label load-images loud module mute-logs namespace no-prune no-prune-children
offline output platform port-forward profile profile-auto-activation propagate-profiles push
remote-cache-dir resource-selector-rules-file rpc-http-port rpc-port set
set-value-file skip-tests status-check status-check-selectors sync-remote-cache tag tail
timestamps tolerate-failures-until-deadline toot trigger update-check verbosity
wait-for-connection wait-for-deletions wait-for-deletions-delay wait-for-deletions-max
watch-image watch-poll-interval
`
  .trim()
  .split(/\s+/u)
  .map((name) => `--${name}`);

describe('the short forms', () => {
  const program = buildProgram(() => undefined);
  const verbs = ['build', 'test', 'render', 'deploy', 'apply', 'run', 'dev', 'verify', 'delete'];
  const find = (parent: Command, name: string): Command => {
    const found = parent.commands.find((one) => one.name() === name);
    if (found === undefined) throw new Error(`there is no command ${name}`);
    return found;
  };

  it.each(verbs)('%s has the options that the verb of the pipeline has', (name) => {
    const flags = (one: Command): string[] => one.options.map((option) => option.flags);
    expect(flags(find(program, name))).toEqual(flags(find(find(program, 'pipeline'), name)));
  });

  it('say why an option of the shipped tool is not here, and nothing of unknown options', () => {
    expect(withReason("error: unknown option '--force'\n(Did you mean --format?)")).toBe(
      "error: unknown option '--force': objects are applied by server-side apply, and never recreated.",
    );
    expect(withReason("error: unknown option '--render-only=true'")).toMatch(
      /lifehook render prints/u,
    );
    expect(withReason("error: unknown option '--toString'")).toBe(
      "error: unknown option '--toString'",
    );
  });

  it('have every option of the shipped tool 2.24, or the reason why not', () => {
    const there = new Set(
      verbs.flatMap((name) => find(program, name).options.map(({ long }) => long)),
    );
    const missing = OF_THE_TOOL.filter(
      (long) => !there.has(long) && !there.has(`--no-${long.slice(2)}`),
    );
    expect(
      missing.filter((long) => !withReason(`unknown option '${long}'`).includes(': ')),
    ).toEqual([]);
  });

  it('have no reason for an option that is there', () => {
    const known = find(program, 'dev').options.concat(find(program, 'apply').options);
    const there = known.map(({ long }) => long ?? '');
    expect(there.filter((long) => withReason(`unknown option '${long}'`).includes(': '))).toEqual(
      [],
    );
  });

  it('name the commands that take an option which this one lacks', async () => {
    const refused = async (...words: string[]): Promise<string> => {
      const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      try {
        await runProgram(words);
        return written.mock.calls.map(([text]) => String(text)).join('');
      } finally {
        written.mockRestore();
      }
    };
    expect(await refused('build', '--port-forward')).toBe(
      "error LHG001: Unknown option '--port-forward': it is an option of deploy, apply, run, dev. Next: see --help for the commands and options.\n",
    );
    expect(await refused('pipeline', 'test', '--cleanup=false')).toContain(
      "Unknown option '--cleanup=false': it is an option of dev.",
    );
    expect(await refused('build', '--force')).toContain('server-side apply');
    expect(await refused('build', '--pushh')).toContain('(Did you mean --push?)');
  });

  it('name the nearest option of one that is not known', async () => {
    const errors: string[] = [];
    const run = find(program, 'run').configureOutput({ outputError: (text) => errors.push(text) });
    await expect(run.parseAsync(['--platfrom', 'x'], { from: 'user' })).rejects.toThrow(
      /unknown option '--platfrom'\n\(Did you mean --platform\?\)/u,
    );
  });
});
