/**
 * `lifehook __complete WORDS`, for completion scripts: prints the possible values, one per line, or nothing on failure.
 */
import { readdir } from 'node:fs/promises';
import process from 'node:process';
import type { Command } from 'commander';

import type { KubeObject, Resource } from '../../kube/object.ts';
import { exitCodes } from '../exit-codes.ts';
import { completions, loadParts } from '../lifecycles.ts';
import { type Given, type Source, wantedValue } from './wanted-value.ts';

/** Milliseconds that a user waits at most after a Tab. */
const PATIENCE_MS = 3_000;

/**
 * Only values of these characters are offered: a shell splits others into several words, and bash expands them. A value
 * may come from a project's file, and a Tab must not execute the content of a file.
 */
const PLAIN = /^[\p{L}\p{N}_.:@%+=,/-]+$/u;

export async function runComplete(program: Command, words: readonly string[]): Promise<number> {
  const wanted = wantedValue(program, words);
  if (wanted === null) return exitCodes.done;
  const values = wanted.kind === 'choices' ? wanted.values : await lookedUp(program, wanted);
  for (const value of values.filter((one) => PLAIN.test(one))) {
    process.stdout.write(`${value}\n`);
  }
  return exitCodes.done;
}

async function lookedUp(
  program: Command,
  { source, options }: Extract<ReturnType<typeof wantedValue>, { kind: 'source' }>,
): Promise<readonly string[]> {
  const late = new Promise<readonly string[]>((resolve) => {
    setTimeout(resolve, PATIENCE_MS, []).unref();
  });
  try {
    return await Promise.race([valuesOf(source, { program, options }), late]);
  } catch {
    // No server, no file or no permission: there is nothing to offer.
    return [];
  }
}

export interface Looking {
  readonly program: Command;
  readonly options: Given;
}

export type Looks = Readonly<
  Partial<Record<Source, (looking: Looking) => Promise<readonly string[]>>>
>;

/** The possible values, read from files of this machine or from a cluster. Rejects if they cannot be read. */
export async function valuesOf(source: Source, looking: Looking): Promise<readonly string[]> {
  const parts = await loadParts(completions);
  const all = [LOOKS, ...parts.map((part) => part.looks)];
  const values = await Promise.all(
    all.map((looks) => looks[source]?.(looking) ?? Promise.resolve([])),
  );
  return values.flat();
}

const LOOKS: Looks = {
  clusters: async () => {
    const { usualStateFolder } = await import('../cluster/cluster-state.ts');
    return readdir(usualStateFolder() ?? '');
  },
  commands: ({ program }) => Promise.resolve(program.commands.map((one) => one.name())),
  contexts: async ({ options }) => {
    const { kubeContexts } = await import('../kube-connection.ts');
    return kubeContexts(options['--kubeconfig']);
  },
  runs: async ({ options }) => {
    const { runIds } = await import('../ui/run-runs.ts');
    return runIds(optionsOf(options));
  },
};

/** The names of the resource's objects in the selected namespace. */
export async function namesIn(looking: Looking, resource: Resource): Promise<readonly string[]> {
  const items = await listIn(looking, resource);
  return items.flatMap(({ metadata }) => metadata?.name ?? []);
}

export async function listIn<T extends KubeObject>(
  { options }: Looking,
  resource: Resource<T>,
): Promise<readonly T[]> {
  const { connectToKube } = await import('../kube-connection.ts');
  using cluster = await connectToKube(optionsOf(options), 'completion');
  const { namespace } = cluster;
  return (await cluster.client.list(resource, { namespace })).items;
}

/** The options before the cursor, in the form that the commands take. */
function optionsOf(given: Given): {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
} {
  const names = ['kubeconfig', 'context', 'namespace'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given[`--${name}`];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
