/**
 * Warns of stages that only Lifehook runs. Other programs refuse every container because of such a stage, or do not run
 * it.
 */
import type { Problem } from '../../../model/problem.ts';
import { ENGINE_HOOK_FOLDERS } from '../points.ts';
import { positionOf } from './check-hook.ts';
import type { HookFile } from './hook-file.ts';

export function extensionTraps(file: HookFile): Problem[] {
  const inEngines = ENGINE_HOOK_FOLDERS.includes(file.folder);
  return file.stages.flatMap((stage, index): Problem[] => {
    const at = positionOf(file, `stages[${index}]`);
    if (stage === 'postexit')
      return [...(inEngines ? [stopsEngines(file, at)] : []), needsExit(at)];
    return stage === 'precreate' && inEngines ? [stopsCrio(file, at)] : [];
  });
}

type Place = NonNullable<Problem['at']>;

function stopsEngines({ folder }: HookFile, at: Place): Problem {
  return {
    code: 'LHC145',
    severity: 'error',
    message: `Podman and CRI-O read ${folder}, do not know the stage "postexit", and so refuse every container.`,
    at,
    next: 'Move the file to /etc/lifehook/hooks.d, which only Lifehook reads.',
  };
}

function stopsCrio({ folder }: HookFile, at: Place): Problem {
  return {
    code: 'LHC145',
    severity: 'warning',
    message: `CRI-O reads ${folder}, does not know the stage "precreate", and so refuses every container.`,
    at,
    next: 'Move the file to /etc/lifehook/hooks.d, unless only Podman runs on this machine.',
  };
}

function needsExit(at: Place): Problem {
  return {
    code: 'LHC146',
    severity: 'warning',
    message:
      'postexit hooks run only under `lifehook oci`, and under CRI-O with lifehook-runtime: Podman, containerd and Docker do not give lifehook-runtime the exit code.',
    at,
    next: 'Use poststop there; it runs without the exit code.',
  };
}
