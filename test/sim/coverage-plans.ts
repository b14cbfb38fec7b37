/** The plan of each coverage table: its faults and phases, and the number of seeds that fill it. */
import type { CoverageRules } from './coverage-rules.ts';
import { containerCoverage } from './container/coverage.ts';
import { controllerCoverage } from './controller/coverage.ts';
import { engineCoverage } from './engine/coverage.ts';
import { pipelineCoverage } from './pipeline/coverage.ts';
import { podCoverage } from './pod/coverage.ts';
import { rolloutCoverage } from './rollout/coverage.ts';
import { guardCoverage, snapshotCoverage } from './snapshot/coverage.ts';

export interface CoveragePlan {
  readonly rules: CoverageRules;
  /** Number of seeds. With those of `focused`, they meet every possible pair of fault and phase. */
  readonly seeds: number;
  /** Number of additional seeds for a short phase, on which their faults concentrate, keyed by phase. */
  readonly focused?: Readonly<Record<string, number>>;
}

/** Plans keyed by lifecycle. A new lifecycle adds its table with one line. */
export const coveragePlans: Readonly<Record<string, CoveragePlan>> = {
  engine: { rules: engineCoverage, seeds: 1_000 },
  controller: { rules: controllerCoverage, seeds: 500 },
  pod: { rules: podCoverage, seeds: 2_000 },
  snapshot: {
    rules: snapshotCoverage,
    seeds: 500,
    focused: { deleting: 1_000, 'snapshot cut': 500, thawing: 250 },
  },
  guard: {
    rules: guardCoverage,
    seeds: 200,
    focused: {
      'before the freeze': 300,
      freezing: 100,
      frozen: 300,
      'snapshot cut': 1_100,
      thawing: 600,
      deleting: 500,
    },
  },
  rollout: {
    rules: rolloutCoverage,
    seeds: 300,
    focused: {
      'rolling back': 400,
      post: 300,
      draining: 200,
      gated: 100,
      'held or failed': 150,
      'lifecycle deleting': 250,
      mid: 200,
      'no lifecycle': 400,
    },
  },
  container: {
    rules: containerCoverage,
    seeds: 2_000,
    focused: { precreate: 100, startContainer: 100, poststart: 100, postexit: 150 },
  },
  pipeline: { rules: pipelineCoverage, seeds: 4_000 },
};
