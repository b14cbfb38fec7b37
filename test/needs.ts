/**
 * Programs and rights that some tests need in addition to Node. A test names them as tags; a whole file names them in
 * its head comment (`@module-tag kubectl`). If one is missing, its tests are skipped, and the run reports how many and
 * why. With CI set, a suite that has such tests fails before its first test. The suites of `npm test` have none.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { TestContext } from 'vitest';
import type { TestTagDefinition } from 'vitest/config';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

import { IS_RECORDED_RELEASE, KUBECONFIG, NODE } from './cluster/parameters.ts';

interface Need {
  readonly isHere: boolean;
  /** Next step for the user if the need is not met. */
  readonly next: string;
  /** Suites with tests that have this need; absent: all suites. */
  readonly suites?: readonly string[];
}

const NEEDS: Readonly<Record<string, Need>> = {
  kubectl: {
    isHere: pathOf('kubectl') !== undefined,
    next: 'https://kubernetes.io/docs/tasks/tools; 1.32 and 1.37 are what we test with',
  },
  helm: {
    isHere: pathOf('helm') !== undefined,
    next: 'https://helm.sh/docs/intro/install; 4.3.1 is what we test with',
    suites: ['e2e', 'reliability'],
  },
  promtool: program('promtool', 'prometheus'),
  lua: program('lua5.1', 'lua5.1'),
  git: program('git', 'git'),
  curl: program('curl', 'curl'),
  ps: program('ps', 'procps'),
  prlimit: program('prlimit', 'util-linux'),
  busybox: program('busybox', 'busybox'),
  containerd: program('containerd', 'containerd'),
  crun: program('crun', 'crun'),
  dockerd: program('dockerd', 'docker.io'),
  node: {
    isHere: KUBECONFIG === undefined || NODE === 'here',
    next: 'run it on the node, and set LIFEHOOK_TEST_NODE=here',
  },
  'control-plane': {
    isHere: KUBECONFIG === undefined,
    next: 'unset LIFEHOOK_TEST_KUBECONFIG',
  },
  'recorded-release': {
    isHere: IS_RECORDED_RELEASE,
    next: 'unset K8S_VERSION',
  },
  root: { isHere: process.getuid?.() === 0, next: 'run it as root' },
  linux: { isHere: process.platform === 'linux', next: 'run it on Linux' },
};

function program(name: string, debianPackage: string): Need {
  return {
    isHere: pathOf(name) !== undefined,
    next: `on Debian: apt-get install ${debianPackage}`,
  };
}

/** Path of a program on the PATH. */
export function pathOf(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** One tag per need. Tests with the tag of an unmet need are skipped. */
export function needTags(): TestTagDefinition[] {
  return Object.entries(NEEDS).map(([name, { isHere }]) => ({
    name,
    description: `needs ${name}`,
    // `skip: false` would override another tag of the same test, so the key is left out.
    ...(isHere ? {} : { skip: true }),
  }));
}

/** @throws if CI is set and a need is not met, because CI may skip no test. */
export function requireNeeds({ name: suite }: { readonly name: string }): void {
  const missing = Object.entries(NEEDS).filter(
    ([, { isHere, suites }]) => !isHere && suites?.includes(suite) !== false,
  );
  if ((process.env['CI'] ?? '') === '' || missing.length === 0) return;
  const list = missing.map(([name, { next }]) => `\n  ${name} (${next})`).join('');
  throw new Error(`With CI set no test may be skipped, and some need what is missing:${list}`);
}

/**
 * Skips the test if the cluster does not serve an API that the test needs.
 * @throws with CI set, as `requireNeeds` does.
 */
export function requireServed(context: TestContext, isServed: boolean, what: string): void {
  if (isServed) return;
  const reason = `a cluster that serves ${what}`;
  if ((process.env['CI'] ?? '') === '') context.skip(reason);
  throw new Error(`With CI set no test may be skipped, and this one needs ${reason}`);
}

/** Prints the number of skipped tests by reason, as the last lines of a run. */
export const skippedByNeed: Reporter = {
  onTestRunEnd: (modules) => {
    for (const line of skipLines(modules)) process.stdout.write(`${line}\n`);
  },
};

function skipLines(modules: readonly TestModule[]): string[] {
  const counts = new Map<string, number>();
  for (const test of modules.flatMap((one) => [...one.children.allTests('skipped')])) {
    const reason = missingOf(test.options.tags ?? []).join(' and ') || noteOf(test);
    if (reason !== '') counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => {
    const next = reason.split(' and ').flatMap((name) => NEEDS[name]?.next ?? []);
    const advice = next.length === 0 ? '' : ` (${next.join('; ')})`;
    return `SKIPPED ${count} for want of ${reason}${advice}`;
  });
}

function noteOf(test: TestCase): string {
  const result = test.result();
  return result.state === 'skipped' ? (result.note ?? '') : '';
}

function missingOf(tags: readonly string[]): string[] {
  return tags.filter((name) => NEEDS[name]?.isHere === false);
}
