import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { referenceFiles } from '../../scripts/reference-files.ts';
import { metricsText } from '../cluster/api/discovery/metrics-text.ts';
import { makeRolloutMetrics } from '../timeline/rollout-metrics.ts';
import { makeSnapshotMetrics } from '../timeline/snapshot-metrics.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

describe('docs/reference', () => {
  it('has exactly the files that the schemas and the commands generate', async () => {
    const files = await referenceFiles();
    const hint = 'run npx tsx scripts/generate-reference.ts';
    for (const { path, text } of files) expect(read(path), `${path}: ${hint}`).toBe(text);
    const names = readdirSync('docs/reference').map((name) => `docs/reference/${name}`);
    expect(names.toSorted()).toEqual(files.map(({ path }) => path).toSorted());
  });
});

describe('docs/metrics.md', () => {
  it('lists exactly the metrics that are served, with their types', async () => {
    const store = { revision: 1, resources: () => [], count: () => 0 };
    const served = [
      (await makeSnapshotMetrics(() => ({ frozen: 0, overdue: 0, unproven: 0 })).expose()).text,
      (await makeRolloutMetrics(() => []).expose()).text,
      metricsText({ store } as unknown as Parameters<typeof metricsText>[0]),
    ].join('\n');
    const types = [...served.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
      ([, name, type]) => `${name ?? ''} ${type ?? ''}`,
    );
    const rows = read('docs/metrics.md').matchAll(/^\| `(lifehook_\w+)` +\| (\w+)/gm);
    const told = [...rows].map(([, name, type]) => `${name ?? ''} ${type ?? ''}`);
    expect(told.toSorted()).toEqual(types.toSorted());
  });
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
