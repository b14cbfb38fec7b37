import { describe, expect, it } from 'vitest';

import { currentContext, findEntry } from './kube-config-entries.ts';
import { type KubeConfigFile, parseKubeConfig } from './kube-config-file.ts';

const fileWith = (path: string, ...contexts: readonly string[]): Promise<KubeConfigFile> =>
  parseKubeConfig(path, JSON.stringify({ contexts: contexts.map((name) => ({ name })) }));

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `cluster-${index}`);

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

const NAME_ONE = 'Name one with --context, or run `kubectl config use-context NAME`.';

describe('the message of a kubeconfig without a current context', () => {
  it.each<[string, readonly string[], string]>([
    ['that has none', [], NAME_ONE],
    ['that has ten', numbered(10), `There is ${quoted(numbered(10))}. ${NAME_ONE}`],
    [
      'and ten of the others',
      numbered(12),
      `There is ${quoted(numbered(10))} and 2 more. ${NAME_ONE}`,
    ],
  ])('lists the contexts of the files: %s', async (_, names, next) => {
    const files = [await fileWith('/a', ...names), await fileWith('/b')];
    expect(() => currentContext(files, undefined)).toThrow(
      `error LHK004: A context is required; /a, /b sets no current-context. Next: ${next}`,
    );
  });
});

describe('the message of a name that is in no kubeconfig', () => {
  it.each<[string, readonly string[], string]>([
    ['the nearest name', ['prod', 'dev'], 'Did you mean "prod"?'],
    ['the names, if none is near', ['staging', 'dev'], 'There is "staging", "dev".'],
    ['another file, if it has no name', [], 'Add it to the file, or name one that the file has.'],
  ])('suggests %s', async (_, names, next) => {
    const files = [await fileWith('/a', ...names)];
    expect(() => findEntry(files, 'contexts', { name: 'prd' })).toThrow(
      expect.objectContaining({
        message: `error LHK004: The context "prd" is not in /a. Next: ${next}`,
      }),
    );
  });
});
