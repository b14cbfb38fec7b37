/** Messages of the kubelet, verbatim, because users and tools search for them. Pure. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { PodContainer } from './containers.ts';
import type { StopCause } from './grace.ts';

/** The message of the event `Killing`. */
export function killingMessage(cause: StopCause, { role, spec }: PodContainer, pod: Pod): string {
  switch (cause.kind) {
    case 'probe': {
      if (role === 'sidecar') return `Init container ${spec.name} failed ${cause.probe} probe`;
      const failed = `Container ${spec.name} failed ${cause.probe} probe`;
      return pod.spec?.restartPolicy === 'Never' ? failed : `${failed}, will be restarted`;
    }
    case 'inPlace':
      return cause.why === 'resize'
        ? `Container ${spec.name} resize requires restart`
        : `Container ${spec.name} definition changed, will be restarted`;
    case 'postStart':
      return 'FailedPostStartHook';
    case 'deletion':
    case 'podOver':
      return `Stopping container ${spec.name}`;
    default:
      return cause satisfies never;
  }
}

/** The message of the event `BackOff`. */
export function backOffMessage(container: string, pod: Pod): string {
  return `Back-off restarting failed container ${container} in pod ${nameOf(pod)}`;
}

/** The message of the state `CrashLoopBackOff`. */
export function crashLoopMessage(pauseSeconds: number, container: string, pod: Pod): string {
  const pause = durationText(pauseSeconds);
  return `back-off ${pause} restarting failed container=${container} pod=${nameOf(pod)}`;
}

/** The name of the pod as in the kubelet's log: `web-0_default(2f1c…)`. */
function nameOf({ metadata = {} }: Pod): string {
  const { name = '', namespace = '', uid = '' } = metadata;
  return `${name}_${namespace}(${uid})`;
}

/** A duration of less than an hour in Go's format. Worked examples: 40 is "40s", 80 is "1m20s", 300 is "5m0s". */
function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}
