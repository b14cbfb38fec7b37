/** The parts that a lifecycle adds to a command of all lifecycles: the types of the table in `lifecycles.ts`. */
import type { Command } from 'commander';
import type { OciContainers, RuntimeWorld } from '../../packages/local-cluster/src/index.ts';
import type { Problem } from '../model/problem.ts';
import type { OpenPodWorkers, PodWorkersOptions } from './cluster/pod-workers.ts';
import type { Looks } from './completion/complete.ts';
import type { Shop } from './demo/shop.ts';
import type { Stage } from './demo/stage.ts';
import type { WantedPlace } from './doctor/gather/local.ts';
import type { Settle } from './exit-codes.ts';
import type { KubeOptions } from './kube-connection.ts';
import type { Inputs } from './lint/find-inputs.ts';
import type { Opening, OpenSource, SourceOptions } from './ui/open-source.ts';

export interface Commands {
  /** The heading of the help. */
  readonly group: 'Pipeline:' | 'Kubernetes:' | 'Containers:';
  readonly add: (program: Command, settle: Settle) => void;
}

export type PodWorkersOf = (options: PodWorkersOptions) => Promise<OpenPodWorkers>;

export interface LintFilesPart {
  readonly problemsOfFiles: (inputs: Inputs) => Promise<readonly Problem[]>;
}

export type HookedContainers = (world: RuntimeWorld, command: string) => OciContainers;

export interface WrittenPlacesPart {
  readonly writtenPlaces: () => readonly WantedPlace[];
}

export interface TimelineSourcePart {
  readonly timelineSource: (options: SourceOptions, opening: Opening) => OpenSource | null;
}

export interface DemoActPart {
  readonly play: (stage: Stage, shop: Shop) => Promise<void>;
}

export interface CompletionPart {
  readonly looks: Looks;
}

export interface StatusPart {
  readonly runStatus: (
    name: string,
    options: KubeOptions & { readonly output: 'text' },
  ) => Promise<number>;
}
