import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { referenceFiles } from '../../scripts/reference-files.ts';
import { metricsText } from '../../packages/local-cluster/src/testing.ts';
import { makeAttemptMetrics } from '../observe/attempt-metrics.ts';
import { makeControllerMetrics } from '../observe/controller-metrics.ts';
import { makeNotificationMetrics } from '../observe/notifications/notification-metrics.ts';
import { makeRolloutMetrics } from '../observe/rollout/rollout-metrics.ts';
import { makeSnapshotMetrics } from '../observe/snapshot/snapshot-metrics.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

describe('docs/reference', () => {
  it('has exactly the files that the schemas, the commands and the types of the library generate', async () => {
    const files = await referenceFiles();
    const hint = 'run npx tsx scripts/generate-reference.ts';
    for (const { path, text } of files) expect(read(path), `${path}: ${hint}`).toBe(text);
    const names = readdirSync('docs/reference').map((name) => `docs/reference/${name}`);
    expect(names.toSorted()).toEqual(files.map(({ path }) => path).toSorted());
  });
});

/** The name and type of each metric of the controllers. */
async function controllerMetrics(): Promise<Map<string, string>> {
  return typesIn([
    (
      await makeSnapshotMetrics({
        frozenNow: () => ({ frozen: 0, overdue: 0, unproven: 0 }),
        schedules: () => [],
      }).expose()
    ).text,
    (await makeRolloutMetrics(() => []).expose()).text,
    (await makeAttemptMetrics().expose()).text,
    (await makeControllerMetrics().expose()).text,
    (await makeNotificationMetrics(() => 0).expose()).text,
  ]);
}

function typesIn(texts: readonly string[]): Map<string, string> {
  const types = texts.join('\n').matchAll(/^# TYPE (\S+) (\S+)$/gm);
  return new Map([...types].map(([, name = '', type = '']) => [name, type]));
}

describe('docs/metrics.md', () => {
  it('lists exactly the metrics that are served, with their types', async () => {
    const store = { revision: 1, resources: () => [], count: () => 0 };
    const local = typesIn([metricsText({ store } as unknown as Parameters<typeof metricsText>[0])]);
    const served = [...(await controllerMetrics()), ...local];
    const types = served.map(([name, type]) => `${name} ${type}`);
    const rows = read('docs/metrics.md').matchAll(/^\| `(lifehook_\w+)` +\| (\w+)/gm);
    const reported = [...rows].map(([, name, type]) => `${name ?? ''} ${type ?? ''}`);
    expect(reported.toSorted()).toEqual(types.toSorted());
  });
});

describe('the alert rules and the dashboard of the chart', () => {
  const named = (path: string): string[] => [
    ...new Set([...read(path).matchAll(/\blifehook_\w+/g)].map(([name]) => name)),
  ];

  it.each(['rules.yaml', 'dashboard.json'])(
    '%s names only series that are served',
    async (file) => {
      const served = [...(await controllerMetrics())].flatMap(([name, type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      );
      const names = named(`deploy/chart/files/${file}`);
      expect(names.length).toBeGreaterThan(5);
      expect(names.filter((name) => !served.includes(name))).toEqual([]);
    },
  );

  it('the dashboard shows every metric of the controllers', async () => {
    const text = read('deploy/chart/files/dashboard.json');
    const missing = [...(await controllerMetrics()).keys()].filter((name) => !text.includes(name));
    expect(missing).toEqual([]);
  });

  it.each(['rules.yaml', 'dashboard.json'])(
    '%s selects only labels that are documented',
    (file) => {
      const rows = read('docs/metrics.md').matchAll(
        /^\| `(lifehook_\w+)`[^|]*\|[^|]*\|([^|]*)\|/gm,
      );
      const labels = new Map(
        [...rows].map(([, name = '', cell = '']) => [name, cell.split(/\W+/)]),
      );
      const text = read(`deploy/chart/files/${file}`).replaceAll('\\"', '"');
      const wrong = [...text.matchAll(/(lifehook_\w+?)(?:_bucket|_count)?\{([^}]*)\}/g)].flatMap(
        ([, name = '', matchers = '']) =>
          [...matchers.matchAll(/(\w+)[!=]/g)]
            .map(([, label = '']) => label)
            .filter((label) => label !== 'namespace' && labels.get(name)?.includes(label) !== true)
            .map((label) => `${name}{${label}}`),
      );
      expect(wrong).toEqual([]);
    },
  );
});

describe('docs', () => {
  it('has no dead links', () => {
    const pages = ['README.md', ...pagesIn('docs')];
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => join(dirname(page), target))
        .filter((target) => !isThere(target))
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });
});

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.name.endsWith('.md'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

function isThere(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR';
  }
}
