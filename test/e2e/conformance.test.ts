import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';

import { rules } from '../conformance/differences.ts';
import { resourceOf } from '../conformance/generated.ts';
import { judgeLocal, reportedDifferences, type Verdict } from '../conformance/judge.ts';
import { readRecordings } from '../conformance/recording-files.ts';
import { samples, scenarios } from '../conformance/suite.ts';

const MIN_REQUESTS = 10;
const PLAY_TIMEOUT_MS = 600_000;

let verdict: Verdict;

beforeAll(async () => {
  verdict = await judgeLocal();
}, PLAY_TIMEOUT_MS);

describe('the local API server', () => {
  it('answers every request like the recorded server, except for documented reasons', () => {
    expect(reportedDifferences(verdict.unexplained)).toEqual([]);
  });

  it('gets at least ten requests for each resource', () => {
    const recordings = [...readRecordings().values()];
    const few = samples.filter((sample) => {
      const own = recordings.filter(({ scenario }) =>
        scenario.startsWith(`${resourceOf(sample)} `),
      );
      return own.reduce((sum, { exchanges }) => sum + exchanges.length, 0) < MIN_REQUESTS;
    });
    expect(few.map(resourceOf)).toEqual([]);
  });
});

describe('the list of differences', () => {
  it('has no unused rule', () => {
    const used = new Set(verdict.explained.map(({ rule }) => rule?.id));
    expect(rules.filter(({ id }) => !used.has(id)).map(({ id }) => id)).toEqual([]);
  });

  it('equals the table in docs/local-cluster-differences.md', () => {
    const text = readFileSync('docs/local-cluster-differences.md', 'utf8');
    const rows = text.split('\n').flatMap((line) => /^\| `([\w-]+)`/.exec(line)?.[1] ?? []);
    expect(rows.toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
  });
});

describe('the recording', () => {
  it('has every scenario and no other', () => {
    const names = scenarios().map(({ name }) => name);
    expect([...readRecordings().keys()].toSorted()).toEqual(names.toSorted());
  });

  it('contains no scenario that stopped', () => {
    const stopped = [...readRecordings().values()].filter(({ exchanges }) =>
      exchanges.some(({ step }) => step === 'stopped'),
    );
    expect(stopped.map(({ scenario }) => scenario)).toEqual([]);
  });
});
