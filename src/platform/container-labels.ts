/** The labels of a container's run, by which a restarted node finds its pod. */
export interface RunIdentity {
  readonly podUid: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Number of runs of this container before this one. */
  readonly restartCount: number;
  /** Seconds of pause before this run; null: it is the first run. */
  readonly backoffSeconds: number | null;
}

export function containerId({ podUid, container, restartCount }: RunIdentity): string {
  return `${podUid}_${container}_${restartCount}`;
}

export function toLabels(identity: RunIdentity): Readonly<Record<string, string>> {
  return {
    podUid: identity.podUid,
    namespace: identity.namespace,
    pod: identity.pod,
    container: identity.container,
    restartCount: String(identity.restartCount),
    backoffSeconds: identity.backoffSeconds === null ? '' : String(identity.backoffSeconds),
  };
}

/** null: the labels are not those of a container of a pod. */
export function fromLabels(labels: Readonly<Record<string, string>>): RunIdentity | null {
  const { podUid, namespace, pod, container, restartCount, backoffSeconds = '' } = labels;
  if (podUid === undefined || container === undefined || restartCount === undefined) return null;
  return {
    podUid,
    namespace: namespace ?? '',
    pod: pod ?? '',
    container,
    restartCount: Number(restartCount),
    backoffSeconds: backoffSeconds === '' ? null : Number(backoffSeconds),
  };
}
