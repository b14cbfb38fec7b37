/** All scenarios for both servers. */
import { scenariosOf } from './generated.ts';
import type { Sample } from './sample.ts';
import { extensionSamples } from './samples/extensions.ts';
import { inertSamples } from './samples/inert.ts';
import { plainSamples } from './samples/plain.ts';
import { podSamples } from './samples/pods.ts';
import { storageSamples } from './samples/storage.ts';
import { workloadSamples } from './samples/workloads.ts';
import type { Scenario } from './scenario.ts';
import { customKindScenarios } from './written/custom-kinds.ts';
import { liveScenarios } from './written/live.ts';
import { podScenarios } from './written/pods.ts';
import { refusalScenarios } from './written/refusals.ts';
import { reviewScenarios } from './written/reviews.ts';
import { scaleScenarios } from './written/scales.ts';

export const samples: readonly Sample[] = [
  ...plainSamples,
  ...podSamples,
  ...workloadSamples,
  ...storageSamples,
  ...extensionSamples,
  ...inertSamples,
];

export function scenarios(): readonly Scenario[] {
  return [
    ...samples.flatMap(scenariosOf),
    ...podScenarios,
    ...reviewScenarios,
    ...customKindScenarios,
    ...liveScenarios,
    ...scaleScenarios,
    ...refusalScenarios,
  ];
}
