/**
 * The commands of the lifecycles: the part of the table in `lifecycles.ts` that is imported statically. It is a
 * separate module because programs without a command line use the other parts.
 */
import { addOciCommands } from './container/commands.ts';
import type { Commands } from './lifecycle-parts.ts';
import { addPipelineCommands } from './pipeline/commands.ts';
import { addPodCommands } from './pod/commands.ts';
import { addRolloutCommands } from './rollout/commands.ts';
import { addSnapshotCommands } from './snapshot/commands.ts';

/** The commands of each lifecycle, in the order of the help. */
export const commands: Readonly<Record<string, Commands>> = {
  pipeline: { group: 'Pipeline:', add: addPipelineCommands },
  rollout: { group: 'Kubernetes:', add: addRolloutCommands },
  snapshot: { group: 'Kubernetes:', add: addSnapshotCommands },
  pod: { group: 'Kubernetes:', add: addPodCommands },
  container: { group: 'Containers:', add: addOciCommands },
};
